// The presenter view: opened and left by key and by button, driven by a clicker, nothing cut in the
// two sizes of projectors.

import assert from "node:assert/strict";
import test from "node:test";
import { addressSays, menu, open, still } from "./harness.mjs";

const SIZES = [{ width: 1280, height: 720 }, { width: 1920, height: 1080 }];
/** Why these visitors want no motion. */
const LAYOUT = "the layout of every step is measured, not its film";
const WALK = "#lesson=lost-update&variant=naive&mode=watch&walk=lost&step=0";

const at = (page, step) => page.locator(`main.lesson[data-step-now="${step}"]`).waitFor();
const view = (page) => page.locator(".page.presenting");

/** What is cut or veiled, in words; nothing if all is well. */
const cut = (page) =>
  page.evaluate(() => {
    const problems = [];
    const window_ = document.documentElement;
    if (window_.scrollWidth > window_.clientWidth || window_.scrollHeight > window_.clientHeight) {
      problems.push("the page itself scrolls");
    }
    for (const selector of [".say .story", ".lines", ".redis", ".goal", ".dock"]) {
      for (const one of document.querySelectorAll(selector)) {
        // A program longer than the screen shows the line where it stands.
        const lines = [...one.querySelectorAll(".next, .ran")];
        const zoom = Number(getComputedStyle(window_).getPropertyValue("--zoom"));
        if (selector === ".lines" && zoom <= 1.3 && lines.length > 0) {
          const [outer, ...inner] = [one, ...lines].map((element) => element.getBoundingClientRect());
          if (inner.some(({ top, bottom }) => top >= outer.top - 1 && bottom <= outer.bottom + 1)) continue;
        }
        if (one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1) {
          problems.push(`${selector}: ${one.scrollWidth}×${one.scrollHeight} in ${one.clientWidth}×${one.clientHeight}`);
        }
      }
    }
    const seen = (element, name) => {
      const box = element.getBoundingClientRect();
      if (box.top < -1 || box.left < -1 || box.bottom > innerHeight + 1 || box.right > innerWidth + 1) {
        problems.push(`${name} sticks out`);
      }
      const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      if (!hit || (!element.contains(hit) && !hit.contains(element))) problems.push(`${name} is veiled`);
    };
    for (const one of document.querySelectorAll(".listing")) seen(one, "a program");
    for (const one of document.querySelectorAll(".client")) seen(one, "a client");
    for (const one of document.querySelectorAll(".board .key")) {
      seen(one, "a key");
      // Nothing lies on its value, whose line is higher than its letters.
      const value = one.querySelector(".val .now")?.getBoundingClientRect();
      const air = value ? value.height * 0.15 : 0;
      for (const beside of value ? one.querySelectorAll(".meta > *, .history > *") : []) {
        const box = beside.getBoundingClientRect();
        const apart = box.bottom <= value.top + air || box.top >= value.bottom - air ||
          box.right <= value.left + 1 || box.left >= value.right - 1;
        if (!apart) problems.push(`${beside.className || beside.innerText} lies on the value`);
      }
    }
    for (const one of document.querySelectorAll(".story p")) seen(one, "the sentence");
    seen(document.querySelector(".strips"), "the strip");
    const now = document.querySelector(`.diagram .row[data-step="${document.querySelector("main").dataset.stepNow}"] .hit`);
    const pane = document.querySelector(".diagram").getBoundingClientRect();
    if (now) {
      const { top, bottom } = now.getBoundingClientRect();
      if (top < pane.top - 1 || bottom > pane.bottom + 1) problems.push("the present row is cut");
    }
    return problems;
  });

for (const size of SIZES) {
  for (const [lesson, query] of [
    ["lost-update", "variant=naive&mode=watch&walk=lost"],
    ["owner-token", "mode=watch"],
    ["oversell", "mode=watch"],
    ["redlock", "mode=watch"],
  ]) {
    for (const lang of ["en", "zh"]) {
      test(`${lesson} is whole at ${size.width}×${size.height}, ${lang}`, async (t) => {
        const page = await open(t, `#lesson=${lesson}&${query}&present=1&lang=${lang}`, { size, calm: LAYOUT });
        await view(page).waitFor();
        const steps = Number(await page.locator(".strip").getAttribute("aria-valuemax"));
        for (let step = 0; step <= steps; step++) {
          await at(page, step);
          assert.deepEqual(await cut(page), [], `step ${step}`);
          await page.keyboard.press("PageDown");
        }
        const type = await page.locator(".story p").first().evaluate((p) => {
          const zoom = Number(getComputedStyle(document.documentElement).getPropertyValue("--zoom"));
          return parseFloat(getComputedStyle(p).fontSize) * (zoom || 1);
        });
        assert.ok(type >= 15, `the sentence is set in ${type} px`);
      });
    }
  }
}

test("a clicker drives it", async (t) => {
  const page = await open(t, WALK, { size: SIZES[0] });
  await page.keyboard.press("p");
  await view(page).waitFor();
  await addressSays(page, "present", "1");
  await page.keyboard.press("PageDown");
  await at(page, 1);
  await page.keyboard.press("PageDown");
  await at(page, 2);
  await page.keyboard.press("PageUp");
  await at(page, 1);
  for (const key of [".", "."]) {
    await page.keyboard.press(key);
    await page.locator(".dark.on").waitFor();
    await page.keyboard.press("PageDown");
    await page.locator(".dark:not(.on)").waitFor({ state: "attached" });
    await at(page, 1);
  }
  await page.keyboard.press("Escape");
  await page.locator(".page:not(.presenting)").waitFor();
  await at(page, 1);
  await addressSays(page, "present", undefined);
});

test("a button opens it and another leaves it; a schedule of one's own is stepped in it", async (t) => {
  const page = await open(t, "#lesson=lost-update&variant=naive&mode=schedule", { size: SIZES[1] });
  await menu(page, "present");
  await view(page).waitFor();
  await page.keyboard.press("1");
  await at(page, 1);
  await page.keyboard.press("2");
  await at(page, 2);
  await still(page);
  assert.deepEqual(await cut(page), []);
  await page.getByRole("button", { name: "Leave the presenter view" }).click();
  await page.locator(".page:not(.presenting)").waitFor();
  await at(page, 2);
});

test("a link opens it", async (t) => {
  const page = await open(t, "#lesson=lost-update&schedule=A1.B1.A2.B2&step=3&present=1", { size: SIZES[0] });
  await view(page).waitFor();
  await at(page, 3);
});
