// Every mode of a lesson, the consoles and the playground, in both languages: once with nothing but
// the keyboard, once with nothing but a finger on a phone.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { menu, onward, open, part, ROOT } from "./harness.mjs";

const lesson = JSON.parse(readFileSync(join(ROOT, "dist/lessons/lost-update.json"), "utf8"));
const { solution } = lesson.exercise;
const [quiz] = lesson.quizzes.filter((one) => !one.several);

const UNPAINTED = { unpainted: "words, and what keys and a finger do, are asked of the page" };
const CHINESE = /[\u4e00-\u9fff]/;
const ADDRESS = (language) => `#lesson=lost-update&variant=naive&mode=watch&lang=${language}`;

/** The same things, by keys and by touch. */
const keyboard = {
  options: { size: 1280 },
  /** Goes to a control with Tab, as long as that takes, and presses it. */
  async press(page, selector) {
    await keyboard.reach(page, selector);
    await page.keyboard.press("Enter");
  },
  async reach(page, selector) {
    await page.locator(selector).first().waitFor();
    for (let presses = 0; presses < 150; presses++) {
      if (await page.evaluate((s) => document.activeElement?.matches(s) ?? false, selector)) return;
      // In an editor Tab indents, until Esc is pressed.
      if (await page.evaluate(() => document.activeElement?.matches("textarea"))) await page.keyboard.press("Escape");
      await page.keyboard.press("Tab");
    }
    assert.fail(`the keyboard never gets to ${selector}`);
  },
  part: (page, name) => keyboard.press(page, mode(name)),
  async write(page, selector, text) {
    await keyboard.reach(page, selector);
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(text);
  },
  step: (page, number) => page.keyboard.press(String(number)),
  next: (page) => page.keyboard.press("ArrowRight"),
  back: (page) => page.keyboard.press("ArrowLeft"),
  console: (page) => page.keyboard.press("/"),
  async menu(page, name) {
    await keyboard.press(page, '[data-move="more"]');
    await keyboard.press(page, `#menu [data-move="${name}"]`);
  },
  send: (page) => page.keyboard.press("Enter"),
};
const touch = {
  options: { size: 390 },
  press: (page, selector) => page.locator(selector).first().tap(),
  part: (page, name) => part(page, name, "tap"),
  async write(page, selector, text) {
    await page.locator(selector).first().tap();
    await page.locator(selector).first().fill(text);
  },
  step: (page, number) => page.locator(`.dock .step[data-client="${"AB"[number - 1]}"]`).tap(),
  next: (page) => onward(page, "tap"),
  back: (page) => page.locator('[data-move="back"]').tap(),
  console: (page) => menu(page, "console", "tap"),
  menu: (page, name) => menu(page, name, "tap"),
  send: (page) => page.locator(".console .pane.on .touch").last().tap(),
};

const at = (page, step) => page.locator(`main.lesson[data-step-now="${step}"]`).waitFor();
const mode = (name) => `[data-mode="${name}"]`;
/** Someone reads this in the language: Chinese has its characters, English none of them. */
async function isIn(language, locator) {
  const words = await locator.first().innerText();
  assert.equal(CHINESE.test(words), language === "zh", words);
}

for (const [how, hand] of [["by keyboard alone", keyboard], ["by touch alone", touch]]) {
  for (const language of ["en", "zh"]) {
    test(`a lesson from Watch to Review, ${how}, ${language}`, async (t) => {
      const page = await open(t, ADDRESS(language), { ...hand.options, ...UNPAINTED, language });
      await at(page, 0);
      await hand.next(page);
      await at(page, 1);
      await isIn(language, page.locator(".story p"));
      await hand.back(page);
      await at(page, 0);

      await hand.part(page, "schedule");
      await page.locator(`${mode("schedule")}.on`).waitFor({ state: "attached" });
      for (const [client, step] of [[1, 1], [2, 2], [1, 3], [2, 4]]) {
        await hand.step(page, client);
        await at(page, step);
      }
      await isIn(language, page.locator(".chip.bad .sr, .story"));
      await page.locator(".chip.bad").waitFor();

      await hand.part(page, "break");
      await page.locator('.dared[data-done="false"], .dared[data-done="true"]').waitFor();
      if ((await page.locator("main.lesson").getAttribute("data-step-now")) !== "4") {
        for (const [client, step] of [[1, 1], [2, 2], [1, 3], [2, 4]]) {
          await hand.step(page, client);
          await at(page, step);
        }
      }
      await page.locator('.dared[data-done="true"]').waitFor();

      await hand.part(page, "find");
      await page.locator(".question.bad .verdict").waitFor();
      await isIn(language, page.locator(".question.bad .verdict"));
      await hand.press(page, "[data-play]");
      await at(page, 2);

      await hand.part(page, "fix");
      await hand.write(page, ".editor textarea", solution);
      await hand.press(page, '[data-fix="check"]');
      await page.locator('[data-grade="passed"]').waitFor();

      await hand.part(page, "review");
      const asked = `[data-quiz="${quiz.id}"] .choice`;
      await page.locator(asked).first().waitFor();
      const right = page.locator(asked).nth(quiz.right[0]);
      if (hand === touch) await right.tap();
      else {
        await hand.reach(page, asked);
        for (let press = 0; press < quiz.right[0]; press++) await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
      }
      await page.locator(`[data-quiz="${quiz.id}"] .told .ok`).waitFor();
      await isIn(language, page.locator(`[data-quiz="${quiz.id}"] .told`));
    });

    test(`a console and the playground, ${how}, ${language}`, async (t) => {
      const page = await open(t, ADDRESS(language).replace("watch", "schedule"), { ...hand.options, ...UNPAINTED, language });
      await at(page, 0);
      await hand.console(page);
      await hand.write(page, ".console .pane.on input", "SET stock 9");
      await hand.send(page);
      await at(page, 1);
      await page.locator(".console .log", { hasText: "OK" }).waitFor();
      await isIn(language, page.locator(".console > header h2"));

      await hand.menu(page, "own");
      await page.locator("main.own").waitFor();
      await hand.write(page, ".own .editor textarea", 'redis.call("INCR", "n")\n');
      await page.locator('main.own[data-mistakes="0"]').waitFor();
      await isIn(language, page.locator(".own-verdict [role=status]"));
      await hand.part(page, "schedule");
      await page.locator("main.lesson").waitFor();
      await page.locator(".diagram svg").waitFor();
    });
  }
}
