// Crowd: the form, runs in workers with progress and Stop, the table, bars that lead to a run, the sweep; by mouse, by
// keyboard alone and by touch, in both languages; and that the page's numbers are those of `check --crowd`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import test from "node:test";
import { open, ROOT, saved } from "./harness.mjs";

const ADDRESS = (lesson, crowd, language = "en") =>
  `#lesson=${lesson}&mode=crowd${crowd ? `&crowd=${crowd}` : ""}&lang=${language}`;

const field = (page, name) => page.locator(`#crowd-${name}`);
const go = (page, what = "crowd") => page.locator(`[data-run="${what}"]`);
/** The runs are over, and their number is in the words. */
const over = (page) => page.locator('main.crowd[data-running="false"] .crowd-state .said').waitFor({ timeout: 120_000 });
const row = (page, name) => page.locator(".crowd-table tr", { has: page.locator("th", { hasText: name }) }).locator("td");

test("how often it oversells, and a bar leads to the run that shows it", async (t) => {
  const page = await open(t, ADDRESS("oversell"));
  // It begins by itself, as it is small.
  await over(page);
  await field(page, "seeds").fill("6");
  await field(page, "clients").fill("300");
  await field(page, "clients").press("Tab");
  await page.waitForFunction(() => location.hash.includes("crowd=seeds:6,clients:300"));
  await go(page).click();
  await over(page);
  assert.match(await page.locator(".crowd-state .said").innerText(), /^18 runs, 5,400 requests/);
  const sold = await row(page, "units sold too often").allInnerTexts();
  assert.match(sold[0], /not 0 in 6 of 6 runs/);
  assert.match(sold[1], /always 0/);
  assert.match(sold[2], /always 0/);

  const bar = page.locator('.histogram[data-variant="0"] button.bad').first();
  await bar.click();
  await page.waitForFunction(() => location.hash.includes("mode=schedule"));
  await page.locator('main.lesson[data-step-now="0"]').waitFor();
  await page.keyboard.press("End");
  await page.locator(".chip.bad").waitFor();

  // Back, and what came out is still there; a bar that went well says that there is nothing to show.
  await page.locator('[data-mode="crowd"]').click();
  await page.locator('.histogram[data-variant="2"] button').first().click();
  await page.locator(".crowd-state .note", { hasText: "no small set of requests breaks a condition" }).waitFor();

  const file = await saved(page, () => page.locator('[data-save="crowd"]').click());
  assert.equal(file.name, "oversell-crowd.csv");
  const lines = file.bytes.toString().trim().split("\r\n");
  assert.equal(lines.length, 19);
  assert.match(lines[0], /^lesson,variant,clients,requests,seed,units sold too often,/);
});

test("the page has the numbers that check --crowd has", async (t) => {
  const target = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target");
  const suffix = process.platform === "win32" ? ".exe" : "";
  const args = ["--crowd", "--json", "--seeds", "3", "--clients", "30", join(ROOT, "static/lessons/watch")];
  const native = execFileSync(join(target, `debug/check${suffix}`), args, { cwd: ROOT, maxBuffer: 1 << 26 });
  const found = native.toString().trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(found.length, 4);
  const ids = JSON.parse(readFileSync(join(ROOT, "dist/lessons/watch.json"), "utf8")).crowd.measures.map((one) => one.id);
  const page = await open(t, ADDRESS("watch", "seeds:3,clients:30"));
  await go(page).click();
  await over(page);
  const file = await saved(page, () => page.locator('[data-save="crowd"]').click());
  const lines = file.bytes.toString().trim().split("\r\n").slice(1);
  for (const [at, crowd] of found.entries()) {
    for (const [seed, run] of crowd.runs.entries()) {
      const cells = lines[at * 3 + seed].split(",");
      assert.equal(crowd.crowd, `watch/${cells[1]}`);
      assert.deepEqual(cells.slice(5, 5 + ids.length).map(Number), ids.map((id) => Number(run.measures[id])));
      assert.equal(Number(cells[5 + ids.length]), run.finished);
      assert.equal(Number(cells[5 + ids.length + 6]), run.end_ns / 1e6);
    }
  }
});

test("by keyboard alone, in Chinese: what is wrong is said, Enter runs, Stop stops", async (t) => {
  const page = await open(t, ADDRESS("watch", "clients:400,requests:20,seeds:50", "zh"), { language: "zh" });
  await field(page, "clients").focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("0");
  await page.keyboard.press("Tab");
  await page.locator(".crowd-row .problem", { hasText: "1 到 1,000" }).waitFor();
  assert.equal(await go(page).isDisabled(), true);
  await field(page, "clients").focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("400");
  await page.keyboard.press("Enter");
  await page.locator('main.crowd[data-running="true"] progress').waitFor();
  await page.waitForFunction(() => /个请求，每秒/.test(document.querySelector(".crowd-state .said")?.innerText ?? ""));
  // The form is where the focus is; Stop stands in the place of Run.
  for (let press = 0; press < 40; press++) {
    if (await page.evaluate(() => document.activeElement?.classList.contains("stop"))) break;
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
  await page.locator('main.crowd[data-running="false"]').waitFor();
  await page.locator(".crowd-state .said", { hasText: "已停止" }).waitFor();
});

test("a sweep draws its lines, with a table and a file beside them", async (t) => {
  const page = await open(t, ADDRESS("lock-grain", "requests:2,seeds:1,variants:lock-market.lua"));
  await go(page, "sweep").click();
  await over(page);
  const charts = page.locator(".charts figure");
  assert.ok((await charts.count()) >= 3);
  const said = await charts.locator("svg").first().getAttribute("aria-label");
  assert.match(said, /at 1 clients, .* at 1,000\./);
  assert.equal(await charts.first().locator("polyline").count(), 2);
  await page.locator(".twin-table summary").click();
  assert.equal(await page.locator(".twin-table tbody tr").count(), 20);
  const file = await saved(page, () => page.locator('[data-save="sweep"]').click());
  assert.equal(file.bytes.toString().trim().split("\r\n").length, 21);
});

test("a sweep over instances that are down, in two languages", async (t) => {
  const page = await open(t, ADDRESS("redlock", "clients:5,seeds:2"));
  await go(page, "down").click();
  await over(page);
  await page.locator(".charts figure").first().waitFor();
  await page.locator(".twin-table summary").click();
  const rows = await page.locator(".twin-table tbody tr").count();
  assert.ok(rows >= 6, `${rows} rows: five instances, none down to all of them`);
  const file = await saved(page, () => page.locator('[data-save="down"]').click());
  assert.match(file.name, /^redlock-down\.csv$/);
  await page.locator(".tools .lang").click();
  await page.locator(".crowd-results", { hasText: "停机" }).waitFor();
});

test("by touch, on a phone: everything is large enough, and nothing sticks out", async (t) => {
  const page = await open(t, ADDRESS("synchronized", "seeds:4,clients:60", "zh"), { size: 390, language: "zh" });
  await go(page).tap();
  await over(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} px too wide`);
  for (const target of await page.locator(".crowd-form :is(button, input:not([type=checkbox]), select, summary):visible").all()) {
    const { height } = await target.boundingBox();
    assert.ok(height >= 43.5, `${await target.innerText()}: ${height} px`);
  }
  const bar = page.locator(".histogram button").first();
  const { width, height } = await bar.boundingBox();
  assert.ok(width >= 40 && height >= 44, `${width} × ${height} px`);
  // Folded rows open by a finger.
  await page.locator('details[data-group="network"] summary').tap();
  await field(page, "rtt_us").waitFor();
});

test("the playground has a crowd too; a link that asks in vain says so", async (t) => {
  const page = await open(t, ADDRESS("oversell", "clients:0,seeds:2"));
  await page.locator(".banner", { hasText: "clients:0" }).waitFor();
  assert.equal(await field(page, "seeds").inputValue(), "2");
  await page.evaluate(() => { location.hash = "#page=playground&mode=crowd&lang=en"; });
  await page.locator("main.crowd").waitFor();
  await field(page, "clients").fill("20");
  await go(page).click();
  await over(page);
  assert.match((await row(page, "Requests per second").first().innerText()), /\d/);
});

test("without workers it runs on the page", async (t) => {
  const page = await open(t, ADDRESS("oversell", "seeds:2,clients:50"), {
    before: (page) => page.addInitScript(() => { delete window.Worker; }),
  });
  await go(page).click();
  await over(page);
  assert.match(await page.locator(".crowd-state .said").innerText(), /^6 runs/);
});
