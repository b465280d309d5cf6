// axe-core finds nothing, with its rules of best practice (landmarks, headings): on every kind of page,
// in both themes and languages, on a desktop and on a phone. docs/access.md says which criterion leans on it.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import test from "node:test";
import { menu, open, opened, still, turn } from "./harness.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const LESSON = "#lesson=lost-update&variant=naive";
const CONSOLE = `${LESSON}&mode=schedule&schedule=A1.c1-SET_stock_9&step=2`;
/** Opens a dialog and waits for it. */
const press = (key, shows) => async (page) => {
  await page.keyboard.press(key);
  await page.locator(shows).first().waitFor();
};
const click = (what, shows) => async (page) => {
  await page.locator(what).click();
  await page.locator(shows).first().waitFor();
};
const chosen = (entry, shows) => async (page) => {
  await menu(page, entry);
  await page.locator(shows).first().waitFor();
};
const found = async (page) => {
  await page.locator(".question.bad .verdict, .question.ok .verdict").first().waitFor();
  await page.locator('main.find[data-running="false"]').waitFor();
};
const crowded = async (page) => {
  await page.locator('[data-run="crowd"]').click();
  await page.locator('main.crowd[data-running="false"] .histogram').first().waitFor();
};
const imports = async (page) => {
  await press("/", ".console")(page);
  await click('[data-console="import"]', "dialog.import-dialog[open]")(page);
};
/** A mistake: what was found of the text before it is shown, and said to be old. */
const mistaken = async (page) => {
  await page.locator(".own .editor textarea").first().press("End");
  await page.keyboard.type(" x(");
  await page.locator(".own-live .old").first().waitFor();
};
/** What a learner has reached in two lessons. */
const RESULT = "IL1.MzIwMtM1NNQ1suByzMvjyskvLtEtLUhJLElVKE9KKwIRCuamXEWpKTn5ydlQMQUjUy4A.85f1f05a";
/** What it is called, its address, what shows that it is there, what is done then. */
const PAGES = [
  ["the front page", "", ".front svg"],
  ["the glossary", "#page=glossary", ".glossary dt"],
  ["the guide", "#lesson=choosing", ".guide .choice"],
  ["the page for embeds", "#page=embed", "main fieldset"],
  ["the playground, edited", "#page=playground", ".own-live[data-map]"],
  ["its examples", "#page=playground", ".own textarea", click('[data-own="examples"]', ".own-examples button")],
  ["the playground, stepped", "#page=playground&mode=schedule&schedule=A1.B1.A2.B2&step=3", "main.lesson"],
  ["Situation", `${LESSON}&mode=situation`, "main.situation"],
  ["Watch, at its question", `${LESSON}&mode=watch&step=3`, ".ask"],
  ["Schedule", `${LESSON}&mode=schedule&schedule=A1.B1.A2.B2&step=3`, "main.lesson"],
  ["several instances", "#lesson=redlock&mode=schedule", "main.lesson"],
  ["a gauge", "#lesson=watchdog&mode=watch&step=3", "main.lesson"],
  ["Break it", `${LESSON}&mode=break&schedule=A1.B1&step=2`, "main.lesson"],
  ["Find, done", `${LESSON}&mode=find`, "main.find", found],
  ["Fix it", `${LESSON}&mode=fix`, "main.fix"],
  ["Crowd", "#lesson=oversell&mode=crowd&crowd=clients:9999", ".crowd-row .problem, .banner"],
  ["Crowd, done", "#lesson=oversell&mode=crowd&crowd=seeds:3,clients:40", "main.crowd", crowded],
  ["Rule", `${LESSON}&mode=review`, "main.review"],
  ["a result code", `${LESSON}&mode=review`, ".foot .to-result", click(".foot .to-result", "svg.qr")],
  ["one's progress", "#page=progress", "main.results"],
  ["the results of a class", `#page=class&result=${RESULT}`, ".sheet tbody tr"],
  ["consoles", CONSOLE, "main.lesson", press("/", ".console")],
  ["two runs side by side", `${LESSON}&mode=schedule&schedule=A1.B1.A2.B2&step=3&compare=A1.A2.B1.B2`, ".compare"],
  ["the list of runs", `${LESSON}&mode=schedule`, "main.lesson", press("v", "dialog[open]")],
  ["the list of keys", `${LESSON}&mode=schedule`, "main.lesson", press("?", "dialog.help[open]")],
  ["the share dialog", `${LESSON}&mode=schedule`, "main.lesson", chosen("share", "dialog.share-dialog[open]")],
  ["the faults", "#lesson=expire-apart&mode=schedule", "main.lesson", press("w", "dialog.faults[open]")],
  ["the import of a session", `${LESSON}&mode=schedule`, "main.lesson", imports],
  ["the menu", `${LESSON}&mode=schedule`, "main.lesson", opened],
  ["the presenter view", `${LESSON}&mode=watch&step=2&present=1`, ".presenting main.lesson"],
  ["Watch, at its end", `${LESSON}&mode=watch&step=4`, ".dock .to-next, .dock > .go"],
  ["a failover", "#lesson=failover&mode=watch&step=6", "main.lesson"],
  ["a table", "#lesson=sign-up&variant=mysql-naive&mode=watch&step=4", "main.lesson"],
  ["a mixed exercise", "#lesson=mix-lock&mode=situation", "main.situation"],
  ["the goal in full", `${LESSON}&mode=schedule`, "main.lesson", press("g", "dialog.goal-dialog[open]")],
  ["the dialog for a real Redis", `${LESSON}&mode=schedule`, "main.lesson", chosen("real", "dialog.real-dialog[open]")],
  ["wire", `${LESSON}&mode=schedule&wire=1`, "main.lesson"],
  ["a misspelt lesson", "#lesson=lost-updat", ".banner a"],
  ["a banner", "#lesson=none", ".banner"],
  // The last one, as the draft keeps it.
  ["the playground with a mistake", "#page=playground", ".own-live[data-map]", mistaken],
];
/** What depends on the theme and the size of the window; the rest need not be asked twice. */
const SEEN = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"];

/** Whether a target is too small when it is in view as well, and not under what stands at the foot. */
async function staysSmall(page, target) {
  await page.locator(target).first().evaluate((element) => element.scrollIntoView({ block: "center" }));
  const { violations } = await page.evaluate(
    (target) => window.axe.run(target, { resultTypes: ["violations"], runOnly: ["target-size"] }), target);
  return violations.length > 0;
}

/** Goes through all pages in one window: only the address changes, as for a reader. */
async function look(t, { size, theme, language, rules }) {
  const page = await open(t, "#page=glossary", { size, theme, language, bypassCSP: true });
  await page.evaluate(AXE);
  for (const [name, address, shows, act] of PAGES) {
    await t.test(name, async () => {
      await turn(page, address, shows, language);
      await act?.(page);
      // Half faded in, anything is too pale.
      await still(page);
      // A page's address begins with # here, which axe takes for a way past the head when it is off the screen.
      const { violations } = await page.evaluate(
        (rules) => window.axe.run(document, {
          resultTypes: ["violations"], rules: { "skip-link": { enabled: false } }, ...(rules && { runOnly: rules }),
        }),
        rules,
      );
      for (const one of violations.filter(({ id }) => id === "target-size")) {
        // Kept runs are thin; the list of runs has buttons for the same.
        const nodes = one.nodes.filter(({ target }) => !target.some((part) => part.includes(".kept")));
        one.nodes = [];
        for (const node of nodes) if (await staysSmall(page, node.target[0])) one.nodes.push(node);
      }
      const lines = violations.filter(({ nodes }) => nodes.length > 0).flatMap(({ id, help, nodes }) => [
        `${id}: ${help}`,
        ...nodes.slice(0, 4).map((node) =>
          `    ${node.target.join(" ")} ${node.any[0]?.message ?? node.all[0]?.message ?? ""}`),
      ]);
      // An open dialog would keep the keys from the next page.
      if (await page.locator("dialog[open]").count()) await page.keyboard.press("Escape");
      await page.locator("dialog[open]").waitFor({ state: "detached" });
      // A lesson that does not exist is not found.
      if (name === "a banner") page.expect(/404/);
      assert.deepEqual(lines, [], `\n${lines.join("\n")}`);
    });
  }
}

for (const [size, theme, language, rules] of [
  [1280, "light", "en"],
  [390, "dark", "zh"],
  [1280, "dark", "zh", SEEN],
  [390, "light", "en", SEEN],
]) {
  test(`axe finds nothing at ${size} px, ${theme}, ${language}`, (t) => look(t, { size, theme, language, rules }));
}
