// What goes wrong, by hand: the fault menu by mouse, by keyboard and by touch, several instances, and
// the way of a command in three steps. The lessons are the scenarios of tests/scenarios.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test, { after, before } from "node:test";
import { addressSays, menu as more, open, ROOT, still } from "./harness.mjs";

const FAILOVER = "#lesson=failover-lock&variant=one-master&mode=schedule";
const LEASE = "#lesson=pause-lease&variant=no-fence&mode=schedule";

let compiled;

before(() => {
  compiled = mkdtempSync(join(tmpdir(), "scenarios-"));
  const target = process.env.CARGO_TARGET_DIR ?? join(ROOT, "target");
  const check = resolve(ROOT, target, "debug/check");
  execFileSync(check, ["compile", join(ROOT, "tests/scenarios"), compiled], { cwd: ROOT });
});

after(() => rmSync(compiled, { recursive: true, force: true }));

/** Opens a scenario: its file is answered in place of a lesson's. */
async function openScenario(t, address, options) {
  const page = await open(t, "", options);
  await page.route(/lessons\/(failover-lock|pause-lease|shop)\.json$/, (route) => {
    const name = route.request().url().split("/").pop();
    const body = readFileSync(join(compiled, name), "utf8");
    return route.fulfill({ contentType: "application/json", body });
  });
  await page.evaluate((hash) => (location.hash = hash), address);
  await page.locator("main.lesson").waitFor();
  return page;
}

/** Waits until the page stands at a step, and its film is over. */
const at = async (page, step) => {
  await page.locator(`main.lesson[data-step-now="${step}"]`).waitFor();
  await still(page);
};
const button = (page, id) => page.locator(`[data-move="${id}"]`);
const client = (page, letter) =>
  page.locator(`button.step[data-client="${letter}"]`).filter({ visible: true });
const menu = (page) => page.locator("dialog.faults");
const item = (page, name) => menu(page).getByRole("button", { name });

async function isBad(page, id) {
  return (await page.locator(`[data-chip="${id}"]:not(.ghost *)`).getAttribute("class")).includes("bad");
}

test("a lock is lost in a failover, by mouse", async (t) => {
  const page = await openScenario(t, FAILOVER);
  await client(page, "A").click();
  await at(page, 1);
  assert.match(await page.locator('[data-node="r1"] h3').innerText(), /replica of redis/);
  await more(page, "faults");
  await item(page, /Fail over from redis/).click();
  await at(page, 2);
  assert.equal(await menu(page).isVisible(), false, "it closes with the choice");
  assert.match(await page.locator(".story").innerText(), /redis is lost, and r1 takes its place/);
  assert.match(await page.locator('[data-node="redis"] h3').innerText(), /down/);
  assert.equal(await isBad(page, "one"), false);
  await client(page, "B").click();
  await at(page, 3);
  assert.equal(await isBad(page, "one"), true, "two holders");
  await addressSays(page, "schedule", "A1.failover-redis.B1");
  await button(page, "back").click();
  await at(page, 2);
  assert.equal(await isBad(page, "one"), false);
  // A fault that is used up is shown and cannot be chosen.
  await more(page, "faults");
  assert.equal(await item(page, /Bring redis up/).isEnabled(), true);
  await page.keyboard.press("Escape");
  assert.equal(await menu(page).isVisible(), false);
});

test("a holder is paused beyond its lease, by keyboard", async (t) => {
  const page = await openScenario(t, LEASE);
  await page.keyboard.press("1");
  await at(page, 1);
  await page.keyboard.press("w");
  await menu(page).waitFor();
  const focused = () => page.evaluate(() => document.activeElement.innerText);
  assert.match(await focused(), /Pause A/, "the first choice has the focus");
  await page.keyboard.press("Enter");
  await at(page, 2);
  assert.equal(await client(page, "A").isDisabled(), true);
  assert.match(await client(page, "A").innerText(), /is paused/);
  await page.keyboard.press("1");
  await at(page, 2);
  assert.match(await button(page, "advance").innerText(), /Let 30 ms pass\s· lock expires/);
  await button(page, "advance").focus();
  await page.keyboard.press("Enter");
  await at(page, 3);
  await page.keyboard.press("2");
  await at(page, 4);
  assert.match(await page.locator(".story").innerText(), /B changed lock/);
  assert.equal(await page.locator(".band.paused").count(), 1);
});

test("a client crashes, by touch", async (t) => {
  const page = await openScenario(t, LEASE, { size: 390, language: "zh" });
  await client(page, "A").tap();
  await at(page, 1);
  await more(page, "faults", "tap");
  const crash = item(page, /让 A 崩溃/);
  const box = await crash.boundingBox();
  assert.ok(box.height >= 44, `a finger needs 44 px, not ${box.height}`);
  await crash.tap();
  await at(page, 2);
  assert.match(await page.locator(".story").innerText(), /A 崩溃了/);
  await addressSays(page, "schedule", "A1.crashA");
  // The strip keeps its order where there is nobody's cell in it.
  await button(page, "advance").tap();
  await at(page, 3);
  await client(page, "B").tap();
  await at(page, 4);
  const marks = await page.locator(".strip .cell:not(.empty)").evaluateAll((cells) => {
    const left = (cell) => cell.getBoundingClientRect().left;
    return cells.sort((a, b) => left(a) - left(b)).map((cell) => cell.innerText).join("");
  });
  assert.equal(marks, "A!TB");
});

test("the wire makes three steps of a command", async (t) => {
  const page = await openScenario(t, LEASE);
  await client(page, "A").click();
  await at(page, 1);
  await more(page, "wire");
  await at(page, 3);
  await addressSays(page, "schedule", "sendA1.execA1.replyA1");
  for (const [words, step] of [[/Send B/, 4], [/Execute B/, 5], [/Reply to B/, 6]]) {
    assert.match(await client(page, "B").innerText(), words);
    await client(page, "B").click();
    await at(page, step);
  }
  await page.reload();
  await at(page, 6);
  await addressSays(page, "schedule", "sendA1.execA1.replyA1.sendB1.execB1.replyB1");
  await more(page, "wire");
  await at(page, 2);
  await addressSays(page, "schedule", "A1.B1");
});

test("tables, mutexes and resources are shown", async (t) => {
  const page = await openScenario(t, "#lesson=shop&variant=one-process&mode=schedule");
  await client(page, "A").click();
  await at(page, 1);
  assert.match(await client(page, "B").innerText(), /waits for the mutex, which A holds/);
  assert.match(await page.locator(".held").innerText(), /stock, in process vm/);
  await client(page, "A").click();
  await client(page, "A").click();
  await at(page, 3);
  assert.match(await page.locator('[data-table="stock"] tbody').innerText(), /1\s+0/);
  assert.equal(await client(page, "B").isEnabled(), true, "the mutex is free again");
});
