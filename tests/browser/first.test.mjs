// What a link to a lesson shows before the page's program has come (src/check/pictures.rs): it stands where the
// program draws it, and what is pressed there is done when the program is there.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { browser, close, LANGUAGES, serve, SIZES } from "./harness.mjs";

after(close);

const at = (page, step) => page.locator(`[data-step-now="${step}"]`).waitFor();

/** A first visit, and what lets its program come. */
async function arrive(t, address, size, language = "en", stored = {}) {
  const context = await (await browser()).newContext({
    viewport: SIZES[size], locale: LANGUAGES[language], serviceWorkers: "block",
  });
  t.after(() => context.close());
  const page = await context.newPage();
  let come;
  const free = new Promise((resolve) => (come = resolve));
  await page.route(/_bg\.wasm$/, async (route) => (await free, await route.continue()));
  await page.addInitScript((stored) => Object.assign(localStorage, stored), stored);
  await page.goto((await serve()) + address, { waitUntil: "domcontentloaded" });
  return { page, come };
}

/** In the page: what stands where, but for the diagram, whose room the program measures first. */
const places = () =>
  [...document.querySelector("#first > .page, body > .page").querySelectorAll("*")]
    .filter((one) => !one.closest(".diagram > *") && one.checkVisibility())
    .map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      const words = one.matches(".dock code") ? "" : [...one.childNodes].map((node) => node.nodeValue ?? "").join("");
      return `${words} ${[x, y, width, height].map(Math.round).join(" ")}`;
    });

for (const [address, size, language] of [
  ["#lesson=lost-update", 390, "zh"],
  ["#lesson=redlock&mode=schedule", 1280, "en"],
  ["#lesson=job-queue&mode=break", 360, "en"],
  ["#lesson=watch", 667, "zh"],
  ["#lesson=mix-lock", 1440, "en"],
  ["#lesson=choosing", 1280, "zh"],
  ["?embed#lesson=oversell&mode=schedule", 800, "en"],
]) {
  test(`${address} stands before its program where the program draws it, at ${size} px in ${language}`, async (t) => {
    const { page, come } = await arrive(t, address, size, language);
    await page.locator('html[data-first="lesson"] > #first > .page').waitFor();
    const before = await page.evaluate(places);
    come();
    await page.waitForFunction(() => !document.getElementById("first"));
    assert.ok(before.length > 20, "there is something to compare");
    assert.deepEqual(await page.evaluate(places), before);
  });
}

for (const [address, size] of [
  ["#lesson=redlock&mode=schedule", 1280],
  ["#lesson=redlock&mode=schedule", 390],
  ["#lesson=lost-update", 360],
  ["#lesson=oversell&mode=break", 667],
  ["?embed#lesson=oversell&mode=schedule", 800],
]) {
  test(`${address}: what is pressed before the program has come is done when it has, at ${size} px`, async (t) => {
    const { page, come } = await arrive(t, address, size);
    await page.locator('#first button[data-client="A"]').click();
    // Said at once, as it takes its time; where nothing lies over it, and it over no button.
    const words = page.locator('.later-coming[role="status"]');
    await words.waitFor();
    const over = await words.evaluate((words) => {
      words.style.pointerEvents = "auto";
      const { left, right, top, bottom } = words.getBoundingClientRect();
      const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (at !== words) return `it lies under ${at?.outerHTML.slice(0, 80)}`;
      return [...document.querySelectorAll("#first button")]
        .filter((one) => one.checkVisibility())
        .filter((one) => {
          const box = one.getBoundingClientRect();
          return box.left < right && box.right > left && box.top < bottom && box.bottom > top;
        })
        .map((one) => one.textContent);
    });
    assert.deepEqual(over, []);
    await page.keyboard.press("b");
    come();
    await at(page, 2);
    assert.equal(await page.locator(".later-coming").count(), 0);
  });
}

test("who has moved into the picture by Tab is at the same place in what the program draws", async (t) => {
  for (const place of ['[data-client="B"]', '[data-mode="find"]', ".goal select"]) {
    const { page, come } = await arrive(t, "#lesson=redlock&mode=schedule", 1280);
    await page.locator(`#first ${place}`).focus();
    come();
    await page.waitForFunction(() => !document.getElementById("first"));
    assert.ok(await page.evaluate((place) => document.activeElement.matches(`body > .page ${place}`), place), place);
  }
});

test("a part that is pressed before the program has come opens when the program is whole", async (t) => {
  const { page, come } = await arrive(t, "#lesson=lost-update", 1280);
  await page.locator('#first [data-mode="find"]').click();
  come();
  await page.locator("body > .page main.find").waitFor();
  assert.match(page.url(), /mode=find/);
});

for (const [address, stored, why] of [
  ["#lesson=redlock&mode=schedule&variant=redlock", {}, "a link that says more than a lesson and its part"],
  ["#lesson=lost-update", { "interleave.progress.lost-update": "watch" }, "a lesson that was begun"],
]) {
  test(`${why} has no picture that would be wrong`, async (t) => {
    const { page, come } = await arrive(t, address, 1280, "en", stored);
    await page.locator("#first .about").first().waitFor();
    come();
    await page.locator("body > .page > main.stage").waitFor();
    assert.equal(await page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => name.includes("/first/")).length), 0);
  });
}

test("a program that cannot be read is told of, not covered by the picture", async (t) => {
  const { page } = await arrive(t, "#lesson=redlock&mode=schedule", 1280);
  await page.route(/_bg\.wasm$/, (route) => route.fulfill({ body: "cut off", contentType: "application/wasm" }));
  await page.reload({ waitUntil: "domcontentloaded" });
  await page.getByRole("alert").waitFor();
  assert.equal(await page.locator("#first").count(), 0);
});
