// A lesson's line: six parts in a row, one button that leads on from each of them and stands in one place, what is
// done marked in the tabs, and the way back to where one was from the front page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { go, open } from "./harness.mjs";

const PARTS = ["situation", "watch", "break", "find", "fix", "review"];
const next = (page) => page.locator('[data-move="next"]');
const tab = (page, part) => page.locator(`.modes [data-mode="${part}"]`);
const shown = (page, part) => page.locator(`.modes [data-mode="${part}"].on`).waitFor();

/** Where the button stands. */
const place = async (page) => {
  const { x, y, width, height } = await next(page).boundingBox();
  return { right: Math.round(x + width), top: Math.round(y), height: Math.round(height) };
};

for (const [size, language] of [[1440, "en"], [1280, "zh"], [390, "en"]]) {
  test(`the line of lost-update, part after part, at ${size} px`, async (t) => {
    const page = await open(t, "#lesson=lost-update&mode=situation", { size, language });
    const places = [];
    for (const [number, part] of PARTS.entries()) {
      await shown(page, part);
      places.push(await place(page));
      const box = await next(page).boundingBox();
      const window = page.viewportSize();
      assert.ok(box.x >= 0 && box.x + box.width <= window.width, `${part}: in the window`);
      assert.ok(box.y >= 0 && box.y + box.height <= window.height, `${part}: in the window`);
      if (number < PARTS.length - 1) await next(page).click();
    }
    if (size > 720) assert.equal(new Set(places.map((one) => JSON.stringify(one))).size, 1, JSON.stringify(places));
    // After the last part comes the next lesson, at its beginning.
    await next(page).click();
    await shown(page, "situation");
    assert.doesNotMatch(page.url(), /lost-update/);
    // The browser's own way back leads through the parts.
    await page.goBack();
    await shown(page, "review");
    await page.goBack();
    await shown(page, "fix");
  });
}

test("what is done is marked, and the front page goes on from there", async (t) => {
  const page = await open(t, "#lesson=lost-update&mode=situation");
  const done = (part) => tab(page, part).locator("i");
  assert.equal(await done("situation").count(), 0);
  await page.keyboard.press("n");
  await done("situation").waitFor();
  await page.keyboard.press("End");
  await done("watch").waitFor();
  await page.keyboard.press("n");
  await shown(page, "break");
  // It begins at the beginning, whatever was watched.
  await page.locator('main.lesson[data-step-now="0"]').waitFor();
  for (const key of ["1", "2", "1", "2"]) await page.keyboard.press(key);
  await done("break").waitFor();
  await go(page, "#lang=en");
  const goesOn = page.locator(".go-on");
  await goesOn.waitFor();
  assert.match(await goesOn.innerText(), /Lost update/);
  assert.equal(await goesOn.locator("li.done").count(), 3);
  assert.match(await goesOn.locator("a").innerText(), /Continue: Find/);
  assert.match(await page.locator(".chapter-done").first().innerText(), /0 of \d+ done/);
  await goesOn.locator("a").click();
  await shown(page, "find");
});

test("the rule closes the lesson, in both languages", async (t) => {
  const page = await open(t, "#lesson=lost-update&mode=review");
  const rule = page.locator(".rule > p");
  await rule.waitFor();
  assert.match(await rule.innerText(), /^Never write back a value/);
  assert.doesNotMatch(await page.locator('[data-section="notes"]').innerText(), /Remember/);
  await go(page, "#lesson=lost-update&mode=review&lang=zh");
  await page.waitForFunction(() => !document.querySelector(".rule > p")?.innerText.startsWith("Never"));
  assert.doesNotMatch(await rule.innerText(), /记住/);
});
