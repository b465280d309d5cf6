// The page in another engine: into a lost update, back, Find, and the other language.

import assert from "node:assert/strict";
import test from "node:test";
import { serve } from "./harness.mjs";
import { findFirefox, startFirefox, until } from "./firefox.mjs";

const skip = findFirefox() ? false : "there is no Firefox here (.ci/setup firefox gets it, or FIREFOX=… names one)";
const LEFT = "\uE012";

test("Firefox: step to the lost update, back, find it, in two languages", { skip }, async (t) => {
  const page = await startFirefox(t);
  await page.resize(1280, 800);
  await page.go(await serve());
  await page.see(".demo", "one update is lost");

  await page.go(`${await serve()}?1#lesson=lost-update&variant=naive&mode=schedule&lang=en`);
  const at = (step) => page.see(`main.lesson[data-step-now="${step}"]`);
  await at(0);
  await page.run("window.thrown = []; addEventListener('error', (event) => thrown.push(event.message))");
  for (const [step, letter] of [[1, "A"], [2, "B"], [3, "A"], [4, "B"]]) {
    await page.click(`.card button.step[data-client="${letter}"]`);
    await at(step);
  }
  await page.see(".chip.bad");
  await page.see(".story", "had read balance = 10 at step 2");
  await page.press(LEFT);
  await at(3);
  assert.equal(await page.run("return document.querySelectorAll('.chip.bad').length"), 0);

  await page.press("p");
  await page.see(".page.presenting");
  await page.press("p");
  await page.see(".page:not(.presenting)");

  await page.press("f");
  await page.see(".question.bad .verdict", "shortest run");
  await page.see(".outcomes", "schedules");
  await page.click(".tools .lang");
  await page.see(".question.bad .verdict", "最短");
  await until("the root's language", () => page.run("return document.documentElement.lang === 'zh-Hans'"));
  assert.deepEqual(await page.run("return thrown"), []);
});
