// No link kills the page: what would need more memory than a world may hold is refused in words, and what
// would take long goes on while the page answers.

import assert from "node:assert/strict";
import test from "node:test";
import { open } from "./harness.mjs";
import { LONG, scenario } from "./hostile.mjs";

const LINK = "#lesson=lost-update&mode=schedule&lang=en&schedule=c1-";

for (const [name, typed] of [
  ["SETBIT far out", "SETBIT_big_4294967295_1"],
  ["SETRANGE of 100 MB", "SETRANGE_big_100000000_x"],
  ["SETRANGE of 512 MB", "SETRANGE_big_536870911_x"],
  ["BITFIELD far out", "BITFIELD_big_SET_u8_4294967280_1"],
]) {
  test(`${name} is refused, and the page lives`, async (t) => {
    const page = await open(t, LINK + typed);
    assert.match(await page.locator(".say .story").innerText(), /OOM command not allowed: a world of this page may hold 16 MiB/);
    await page.locator('[data-client="A"]').click();
    await page.locator('main.lesson[data-step-now="2"]').waitFor();
  });
}

for (const [name, link] of Object.entries(LONG)) {
  test(`${name} are played while the page answers`, async (t) => {
    const page = await open(t, link);
    await page.locator('.dock [data-client="A"]').click();
    await page.locator(".banner", { hasText: "This run has more steps: it was left at step" }).waitFor();
    const step = Number(await page.locator("main.lesson").getAttribute("data-step-now"));
    assert.ok(step > 1);
    await page.locator('[data-move="back"]').click();
    await page.locator(`main.lesson[data-step-now="${step - 1}"]`).waitFor();
  });
}

/** Steps A until its program has ended, and gives what is said of it. */
async function ended(page) {
  await page.locator('.dock [data-client="A"]').waitFor();
  for (let step = 0; step < 30; step++) {
    const button = page.locator('.dock button.step[data-client="A"]');
    if ((await button.getAttribute("aria-disabled")) === "true") break;
    await button.click();
  }
  return page.locator("main").innerText();
}

for (const [name, program, words] of [
  ["APPEND in a loop", "local x = string.rep('x', 3000000) while true do redis.call('APPEND', 'k', x) end", /may hold 16 MiB/],
  ["LCS", "redis.call('SETRANGE', 'a', 9000, 'x') redis.call('LCS', 'a', 'a')", /may compare 2 million pairs/],
  ["SORT … STORE", `for i = 1, 10 do redis.call('RPUSH', 'l', i .. string.rep('x', 900000)) end
    redis.call('SORT', 'l', 'ALPHA', 'STORE', 'm')`, /may hold 16 MiB/],
  ["a string that doubles", "local s = 'x' while true do s = s .. s end", /1000000 instructions without a call/],
]) {
  test(`${name}, in a program, is refused in words`, async (t) => {
    const page = await open(t, scenario(program));
    assert.match(await ended(page), words);
  });
}

test("a setup of 2 GB is refused in words, and the page lives", async (t) => {
  const setup = ["k1", "k2", "k3", "k4"].map((key) => `SETRANGE ${key} 536870911 x`).join("\n");
  const page = await open(t, scenario("redis.call('PING')", setup));
  await page.locator("main.own", { hasText: "may hold 16 MiB" }).waitFor();
});

test("a run of a thousand steps is drawn where the present step is, and whole in the end", async (t) => {
  const page = await open(t, `#lesson=lost-update&mode=schedule&lang=en&schedule=${Array(1000).fill("c1-PING").join(".")}`);
  await page.locator('main.lesson[data-step-now="1000"]').waitFor();
  const places = await page.evaluate(() => {
    const [row, pane] = ["#row-1000", ".diagram"].map((one) => document.querySelector(one)?.getBoundingClientRect());
    return row && row.top > pane.top && row.bottom < pane.bottom;
  });
  assert.ok(places, "the present row is drawn, in its pane");
  await page.waitForFunction(() => document.querySelectorAll('[id^="row-"]').length === 1000);
  assert.equal(await page.locator(".twin tbody tr").count(), 1000);
  await page.keyboard.press("Home");
  await page.locator('main.lesson[data-step-now="0"]').waitFor();
  await page.locator('.dock [data-client="A"]').click();
  await page.locator('main.lesson[data-step-now="1"]').waitFor();
  assert.equal(await page.locator('[id^="row-"]').count(), 1);
});
