// What the diagram shows besides steps: leases and beliefs, watched keys, transactions, scripts, waits; the same in
// the table that stands for it; the names of places; what is still to come; and that a long run is drawn in parts.

import assert from "node:assert/strict";
import test from "node:test";
import { menu, open, opened, still } from "./harness.mjs";

/** Waits until the page stands at a step, and its film is over: then everything is in its place. */
const at = async (page, step) => {
  await page.locator(`main.lesson[data-step-now="${step}"]`).waitFor();
  await still(page);
};
const band = (page, kind) => page.locator(`.diagram .band.${kind}`);
const PAUSED = "A1.pauseA.B1.T1.T2.B2";

/** The rows of the table, as text. */
const table = (page) => page.locator(".twin tbody tr").allTextContents();

test("a lease, and a belief that outlives it", async (t) => {
  const page = await open(t, `#lesson=lease-too-short&variant=pause&schedule=${PAUSED}&step=6&lang=en`);
  await at(page, 6);
  assert.equal(await band(page, "lease").count(), 2, "A's that ran out, and B's");
  assert.equal(await band(page, "belief").count(), 2);
  assert.equal(await band(page, "clash").count(), 2, "both believe to hold: outlined in both lanes");
  assert.equal(await band(page, "paused").count(), 1);
  const rows = await table(page);
  assert.match(rows[0], /A holds lock[^]*A believes that it holds \(holding = true\)/);
  assert.match(rows.join("\n"), /A no longer holds lock/);
  assert.match(rows[5], /B holds lock[^]*one too many/);
  await (await opened(page)).locator(".legend", { hasText: "lease" }).waitFor();
  await page.keyboard.press("Escape");
  // Before the first step nobody holds anything: all of it is pale.
  await page.keyboard.press("Home");
  await at(page, 0);
  const veil = await page.locator(".diagram .veil").boundingBox();
  for (const lease of await band(page, "lease").all()) assert.ok((await lease.boundingBox()).y >= veil.y);
});

test("watched keys turn red, queued commands wait, EXEC refuses", async (t) => {
  const run = "A1.A2.B1.B2.B3.B4.B5.A3.A4.A5";
  const page = await open(t, `#lesson=watch&variant=watch-once&schedule=${run}&step=10&lang=zh`);
  await at(page, 10);
  assert.equal(await band(page, "watch").count(), 2);
  assert.equal(await page.locator(".diagram .band.watch .dirty").count(), 1, "A's key was changed by B");
  assert.equal(await band(page, "multi").count(), 2);
  assert.equal(await page.locator(".diagram .chip-frame").count(), 2);
  assert.equal(await page.locator(".diagram .row[data-step='7'] .dot.whole:not(.read)").count(), 1);
  assert.equal(await page.locator(".diagram .row[data-step='10'] .dot.whole.read").count(), 1);
  assert.match(await page.locator(".diagram .row[data-step='10']").innerHTML(), /\(nil\)/);
  assert.match((await table(page)).join("\n"), /已被改动/);
});

test("a script opens, by keyboard", async (t) => {
  const page = await open(t, "#lesson=oversell&variant=lua&schedule=A1.B1&step=2&lang=en");
  await at(page, 2);
  assert.equal(await page.locator(".diagram .dot.whole").count(), 2);
  assert.equal(await page.locator(".diagram text.inside").count(), 0);
  const toggle = async () => {
    await page.locator('[data-move="more"]').focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Inside scripts and transactions" }).focus();
    await page.keyboard.press("Enter");
  };
  await toggle();
  await page.locator(".diagram text.inside").first().waitFor();
  assert.deepEqual(await page.locator(".row[data-step='1'] text.inside").allTextContents(), [
    "GET stock",
    "DECR stock",
  ]);
  assert.match((await table(page))[0], /GET stock, DECR stock/);
  await toggle();
  await page.locator(".diagram text.inside").first().waitFor({ state: "detached" });
});

test("a long run is drawn in parts: a move touches what it changes", async (t) => {
  const page = await open(t, "#lesson=lost-update&variant=naive&schedule=A1.B1.A2.B2&step=2&lang=en");
  await at(page, 2);
  // Listening before the key goes out: a promise that is not awaited here could miss the step, and then
  // never end.
  await page.evaluate(() => {
    const nodes = new Set();
    const observer = new MutationObserver((records) => {
      for (const { target } of records) nodes.add(target);
    });
    observer.observe(document.querySelector(".diagram"), { subtree: true, childList: true, attributes: true });
    const main = document.querySelector("main.lesson");
    window.touched = new Promise((done) => {
      const again = () => requestAnimationFrame(() => requestAnimationFrame(() => (observer.disconnect(), done(nodes.size))));
      new MutationObserver(again).observe(main, { attributes: true, attributeFilter: ["data-step-now"] });
    });
  });
  await page.keyboard.press("ArrowRight");
  const count = await page.evaluate(() => window.touched);
  assert.ok(count > 0 && count <= 12, `${count} nodes of the diagram were touched`);
});

/** Two clients that go on for long: every step of theirs is a row. */
async function openLong(t, steps, size) {
  const fragment = Array.from({ length: steps }, (_, at) => `${"AB"[at % 2]}${1 + (at >> 1)}`).join(".");
  const before = (page) =>
    page.route("**/lessons/lost-update.json", async (route) => {
      const lesson = await (await route.fetch()).json();
      const source = 'while true do\n  redis.call("INCR", "balance")\nend\n';
      lesson.programs = [{ file: "on.lua", source }];
      const [first] = lesson.variants;
      const variant = { ...first, world: { ...first.world, clients: [{}, {}] }, states: null };
      Object.assign(lesson, { variants: [variant], walks: [], challenge: null, exercise: null, quizzes: [] });
      await route.fulfill({ json: Object.assign(lesson, { lenses: [], flows: [] }) });
    });
  const page = await open(t, `#lesson=lost-update&mode=schedule&schedule=${fragment}&step=${steps}&lang=en`, { before, size });
  await at(page, steps);
  return page;
}

test("in a long run a scrub moves a veil, wherever the strip is pressed", async (t) => {
  const page = await openLong(t, 120);
  const track = page.locator(".strip .track");
  const { x, y, width, height } = await track.boundingBox();
  await page.evaluate(() => {
    window.nodes = new Set();
    const observer = new MutationObserver((records) => {
      for (const { target } of records) window.nodes.add(target);
    });
    const what = { subtree: true, childList: true, attributes: true };
    for (const part of [".diagram svg", ".strip"]) observer.observe(document.querySelector(part), what);
  });
  await page.mouse.click(x + width * 0.5, y + height / 2);
  const shown = page.locator("main.lesson[data-step-now='60'], main.lesson[data-step-now='61']");
  await shown.waitFor();
  const middle = Number(await page.locator("main.lesson").getAttribute("data-step-now"));
  const rowAt = (step) => page.locator(`.row[data-step="${step}"] .hit`).boundingBox();
  const veil = await page.locator(".diagram .veil").boundingBox();
  const [row, next] = [await rowAt(middle), await rowAt(middle + 1)];
  assert.ok(veil.y >= row.y + row.height - 1 && veil.y <= next.y + 1, "what comes next lies under it, and no more");
  await page.mouse.click(x + width - 1, y + height / 2);
  await at(page, 120);
  await page.keyboard.press("Home");
  await at(page, 0);
  const count = await page.evaluate(() => window.nodes.size);
  assert.ok(count > 0 && count <= 16, `${count} nodes of the diagram and the strip were touched`);
});

test("a long drawing is as high as its rows, though what it is drawn on is higher", async (t) => {
  const page = await openLong(t, 120);
  const bottom = (selector) => page.locator(selector).last().evaluate((one) => one.getBoundingClientRect().bottom);
  const [lane, box] = [await bottom(".diagram .server rect"), await bottom(".diagram .drawing")];
  assert.ok(box >= lane && box - lane < 24, `${box - lane} px below the lane`);
  const scroll = await page.locator(".diagram").evaluate((pane) => pane.scrollHeight - pane.querySelector(".drawing").offsetHeight);
  assert.ok(Math.abs(scroll) <= 2, `${scroll} px more to scroll than is drawn`);
});

test("the challenge tells how far it is", async (t) => {
  const page = await open(t, "#lesson=lost-update&mode=break&lang=en");
  await menu(page, "hint");
  await page.locator("p.hint", { hasText: "4 steps from breaking it." }).waitFor({ timeout: 60_000 });
  await page.keyboard.press("1");
  await page.keyboard.press("1");
  await page.locator("p.hint", { hasText: "It can no longer break from here: step back." }).waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.locator("p.hint", { hasText: "3 steps from breaking it." }).waitFor();
});

test("by touch the switch is large, and bands leave the labels alone", async (t) => {
  const page = await open(t, `#lesson=fencing&variant=fence&mode=schedule&schedule=A1&step=1&lang=zh`, { size: 390 });
  await at(page, 1);
  const toggle = (await opened(page, "tap")).locator('[data-move="inside"]');
  const { height } = await toggle.boundingBox();
  assert.ok(height >= 44, `${height} px`);
  await toggle.tap();
  await page.locator(".diagram text.inside").first().waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} px too wide`);
});

const LOST = "#lesson=lost-update&variant=naive&schedule=A1.B1.A2.B2&lang=en";

test("a film finds its places: on the row, on the lanes, at both edges", async (t) => {
  const page = await open(t, `${LOST}&step=4`, { size: 1280 });
  await at(page, 4);
  const places = await page.evaluate(() => {
    const found = {};
    const put = (name, { left, top, width, height }) => {
      if (found[name]) throw new Error(`${name} is there twice`);
      found[name] = { left, top, width, height };
    };
    for (const one of document.querySelectorAll(".diagram [data-place]")) {
      for (const name of one.dataset.place.split(" ")) put(name, one.getBoundingClientRect());
    }
    for (const one of document.querySelectorAll("#row-4 [data-part]")) put(`row:4:${one.dataset.part}`, one.getBoundingClientRect());
    return found;
  });
  for (const part of ["request", "reply", "dot", "blame"]) assert.ok(places[`row:4:${part}`], part);
  for (const name of ["lane:A", "past:B", "end:A", "server:0", "clock", "join", "row:3:blame", "band:window:B:2"]) {
    assert.ok(places[name], name);
  }
  assert.equal(places["row:1:blame"], undefined);
  // The ends of the ways along the row, of which nothing is drawn.
  const [ends, ground] = await page.evaluate(() => {
    const row = document.querySelector("#row-4");
    const { left, width } = row.querySelector(".hit").getBoundingClientRect();
    return [row.dataset.ends.split(" ").map(Number), { left, width }];
  });
  const [wide, , client, server, half, there, back] = ends;
  const x = (end) => ground.left + (end / wide) * ground.width;
  const middle = ({ left, width }) => left + width / 2;
  assert.ok(Math.abs(middle(places["past:B"]) - x(client)) <= 1, "the row begins on its client's lane");
  assert.ok(Math.abs(middle(places["server:0"]) - x(server)) <= 1, "and ends on the instance's");
  assert.ok(client < half && half < server && server < wide && there < back, "the reply comes back below");
  // Blame and bracket belong to the moment.
  await page.keyboard.press("ArrowLeft");
  await at(page, 3);
  assert.equal(await page.locator(".diagram .join").count(), 0);
  assert.equal(await page.locator('[data-place="row:3:blame"]').count(), 0);
});

test("who watches does not see what is to come; who schedules does, pale", async (t) => {
  const page = await open(t, "#lesson=lost-update&walk=lost&step=2&lang=en");
  await at(page, 2);
  assert.equal(await page.locator(".diagram .row").count(), 2);
  assert.equal((await table(page)).length, 2);
  assert.equal(await page.locator(".diagram .end").count(), 0);
  await page.keyboard.press("End");
  await at(page, 4);
  await page.keyboard.press("ArrowLeft");
  await at(page, 3);
  assert.equal(await page.locator(".diagram .row").count(), 3, "also after going back");
  const free = await open(t, `${LOST}&step=2`);
  await at(free, 2);
  assert.equal(await free.locator(".diagram .row").count(), 4);
  // Both at once: the rows still find the height of their pane.
  const over = await free.evaluate(() => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    return box('[data-place="past:A"]').bottom - box('.row[data-step="3"] .hit').top;
  });
  assert.ok(over <= 1, `the lane is past as far as the run is, and ${over} px more`);
});

test("the names stay while the rows scroll, and never cover the present one", async (t) => {
  for (const size of [1280, 800, 390]) {
    const page = await openLong(t, 40, size);
    const heads = page.locator(".heads");
    for (const [key, step] of [["Home", 0], ["ArrowRight", 1], ["End", 40], ["ArrowLeft", 39]]) {
      await page.keyboard.press(key);
      await at(page, step);
      const [now, pane, row] = await page.evaluate((step) =>
        [".heads", ".diagram", `.row[data-step="${step}"] .hit`].map((selector) => {
          const box = document.querySelector(selector)?.getBoundingClientRect();
          return box && { top: box.top, bottom: box.bottom };
        }), step);
      assert.ok(Math.abs(now.top - pane.top) <= 1, `step ${step}: the names are at the top`);
      if (step === 0) continue;
      assert.ok(row.top >= now.bottom - 1, `step ${step} lies under the names`);
      assert.ok(row.bottom <= pane.bottom + 1, `step ${step} is in the pane`);
    }
    assert.deepEqual(await heads.locator("b").allTextContents(), ["A", "B", "redis"]);
  }
});

test("words fit between their lanes, in type that can be read", async (t) => {
  for (const [address, size] of [
    [`${LOST}&step=4`, 1440],
    [`${LOST}&step=4`, 390],
    ["#lesson=redlock&variant=redlock&mode=schedule&schedule=down-r3.A1.A2.A3.T1.B1.B2&step=7&lang=en", 1280],
    ["#lesson=redlock&variant=redlock&mode=schedule&schedule=down-r3.A1.A2.A3.T1.B1.B2&step=7&lang=zh", 390],
  ]) {
    const page = await open(t, address, { size });
    await page.locator(".diagram .tint").waitFor({ state: "attached" });
    const problems = await page.evaluate(() => {
      const box = (one) => one.getBoundingClientRect();
      const first = Math.min(...[...document.querySelectorAll(".diagram .server rect")].map((one) => box(one).left));
      const all = [...document.querySelectorAll(".drawing text:is(.command, .answer, .stub)")];
      const lines = [...document.querySelectorAll(".diagram path.request")].map((one) => box(one).top);
      const problems = [];
      for (const one of all) {
        const { right, top, bottom } = box(one);
        if (right > first) problems.push(`${one.textContent} reaches into a lane`);
        if (parseFloat(getComputedStyle(one).fontSize) < 13) problems.push(`${one.textContent} is small`);
        if (lines.some((y) => y > top + 2 && y < bottom - 4)) problems.push(`${one.textContent} is struck through`);
      }
      return all.length > 0 ? problems : ["there are no words"];
    });
    assert.deepEqual(problems, [], `${address} at ${size}`);
  }
});
