// axe-core finds nothing serious or critical: on every kind of page, in both themes and languages,
// on a desktop and on a phone.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import test from "node:test";
import { open } from "./harness.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const LESSON = "#lesson=lost-update&variant=naive";
const PAGES = [
  ["the front page", "", ".demo svg"],
  ["the glossary", "#page=glossary", ".glossary dt"],
  ["the guide", "#lesson=choosing", ".guide .choice"],
  ["Watch", `${LESSON}&mode=watch&step=3`, "main.lesson"],
  ["Schedule", `${LESSON}&mode=schedule&schedule=A1.B1.A2.B2&step=3`, "main.lesson"],
  ["several instances", "#lesson=redlock&mode=schedule", "main.lesson"],
  ["a gauge", "#lesson=watchdog&mode=watch&step=3", "main.lesson"],
  ["Break it", `${LESSON}&mode=break&schedule=A1.B1&step=2`, "main.lesson"],
  ["Find", `${LESSON}&mode=find`, "main.find"],
  ["Find, done", `${LESSON}&mode=find`, "main.find", (page) => page.locator("main.find .search").click()
    .then(() => page.locator(".question.bad .verdict, .question.ok .verdict").first().waitFor())
    .then(() => page.locator('main.find[data-running="false"]').waitFor())],
  ["Fix it", `${LESSON}&mode=fix`, "main.fix"],
  ["Review", `${LESSON}&mode=review`, "main.review"],
  ["the list of keys", `${LESSON}&mode=schedule`, "main.lesson", (page) => page.keyboard.press("?")
    .then(() => page.locator("dialog.help[open]").waitFor())],
  ["the share dialog", `${LESSON}&mode=schedule`, "main.lesson", (page) => page.locator(".tool.share").click()
    .then(() => page.locator("dialog.share-dialog[open]").waitFor())],
  ["the faults", "#lesson=expire-apart&mode=schedule", "main.lesson", (page) => page.keyboard.press("d")
    .then(() => page.locator("dialog.faults[open]").waitFor())],
  ["the presenter view", `${LESSON}&mode=watch&step=2&present=1`, ".presenting main.lesson"],
  ["a banner", "#lesson=none", ".banner"],
];

for (const [size, theme, language] of [
  [1280, "light", "en"],
  [1280, "dark", "zh"],
  [390, "dark", "en"],
  [390, "light", "zh"],
]) {
  test(`axe finds nothing at ${size} px, ${theme}, ${language}`, async (t) => {
    for (const [name, address, shows, act] of PAGES) {
      await t.test(name, async (t) => {
        const page = await open(t, address, { size, theme, language, bypassCSP: true });
        await page.locator(shows).first().waitFor();
        await act?.(page);
        await page.evaluate(AXE);
        const { violations } = await page.evaluate(() =>
          window.axe.run(document, { resultTypes: ["violations"] }),
        );
        const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
        const lines = grave.flatMap(({ id, help, nodes }) => [
          `${id}: ${help}`,
          ...nodes.slice(0, 4).map((node) =>
            `    ${node.target.join(" ")} ${node.any[0]?.message ?? node.all[0]?.message ?? ""}`),
        ]);
        assert.deepEqual(lines, [], `\n${lines.join("\n")}`);
        // A lesson that does not exist is not found.
        if (name === "a banner") page.problems.length = 0;
      });
    }
  });
}
