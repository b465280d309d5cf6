// Every dialog closes in three ways: by a press beside it, by Esc, and by the button at its top right.
// Each time the focus goes back to what opened it.

import assert from "node:assert/strict";
import test from "node:test";
import { menu, open, opened, part } from "./harness.mjs";

const LESSON = "#lesson=lost-update&variant=naive&mode=schedule&schedule=A1.B1&step=2&lang=en";
const CROWD = "#lesson=oversell&mode=crowd&lang=en";

const press = (selector) => (page) => page.locator(selector).click();
const entry = (name) => (page) => menu(page, name);
const MORE = '[data-move="more"]';
const openConsole = async (page) => {
  if (!await page.locator(".console").count()) await page.keyboard.press("/");
  await page.locator(".console").waitFor();
};

/** The dialog, where it is, how it is opened by mouse, and what has the focus afterwards. */
const DIALOGS = [
  ["share-dialog", LESSON, entry("share"), MORE],
  ["help", LESSON, entry("keys"), MORE],
  ["goal-dialog", "#lesson=oversell&mode=break&lang=zh", (page) =>
    page.locator(".goal > .all").click({ position: { x: 60, y: 12 } }), ".goal > .all"],
  ["runs-dialog", LESSON, entry("runs"), MORE],
  ["real-dialog", LESSON, entry("real"), MORE],
  ["faults", "#lesson=expire-apart&mode=schedule&lang=en", async (page) => {
    const button = page.locator('.dock [data-move="faults"]:visible');
    if (await button.count()) await button.first().click();
    else await menu(page, "faults");
  }, `[data-move="faults"], ${MORE}`],
  ["maker-dialog", LESSON, async (page) => {
    await menu(page, "share");
    await page.locator('[data-export="embed"]').click();
  }, MORE],
  ["import-dialog", LESSON, async (page) => {
    await openConsole(page);
    await page.locator('[data-console="import"]').click();
  }, '[data-console="import"]'],
  ["result-dialog", "#lesson=lost-update&mode=review&lang=en", press(".to-result"), ".to-result"],
  ["real-dialog", CROWD, press('.crowd [aria-haspopup="dialog"]'), '.crowd [aria-haspopup="dialog"]'],
];

const shows = (page, name) => page.locator(`dialog.${name}[open]`).waitFor();
const gone = (page, name) => page.locator(`dialog.${name}:not([open])`).waitFor({ state: "attached" });

/** A place on the page that the dialog does not cover. */
async function beside(page, name) {
  const { x, y, width, height } = await page.locator(`dialog.${name}`).boundingBox();
  const { width: w, height: h } = page.viewportSize();
  const places = [[x / 2, h / 2], [(x + width + w) / 2, h / 2], [w / 2, y / 2], [w / 2, (y + height + h) / 2]];
  const room = [x, w - x - width, y, h - y - height];
  const widest = room.indexOf(Math.max(...room));
  assert.ok(room[widest] >= 8, `${name} leaves no room beside it: ${room}`);
  return places[widest];
}

for (const [name, address, opens, focus] of DIALOGS) {
  for (const size of [1280, 390]) {
    test(`${name} closes in three ways, ${address.slice(8, 24)}, ${size}`, async (t) => {
      const page = await open(t, address, { size });
      await page.locator("main").waitFor();
      const focused = () => page.evaluate(() => document.activeElement.outerHTML.slice(0, 160));
      const ways = {
        "a press beside": async () => page.mouse.click(...await beside(page, name)),
        Esc: () => page.keyboard.press("Escape"),
        "the button": () => page.locator(`dialog.${name} > header .close`).click(),
      };
      for (const [way, closes] of Object.entries(ways)) {
        await opens(page);
        await shows(page, name);
        await closes();
        await gone(page, name);
        assert.equal(await page.locator("dialog[open]").count(), 0, way);
        const back = await page.evaluate((focus) => document.activeElement.matches(focus), focus);
        assert.ok(back, `${way}: the focus is on ${await focused()}`);
      }
    });
  }
}

test("a press in a dialog, and a drag that leaves it, close nothing", async (t) => {
  const page = await open(t, LESSON);
  await menu(page, "share");
  await shows(page, "share-dialog");
  const field = page.locator(".share-dialog input[readonly]");
  const box = await field.boundingBox();
  const outer = await page.locator(".share-dialog").boundingBox();
  // On the dialog's own padding.
  await page.mouse.click(outer.x + 4, outer.y + outer.height - 4);
  // Selecting a link to its end may end far out.
  await page.mouse.move(box.x + 40, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(outer.x / 2, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  assert.equal(await page.locator("dialog.share-dialog[open]").count(), 1);
});

test("the goal in full, by its row, by G and from a low window: task, conditions with states, programs", async (t) => {
  const page = await open(t, "#lesson=lost-update&variant=naive&mode=break&schedule=A1.B1.A2&lang=en");
  await page.locator('main.lesson[data-step-now="3"]').waitFor();
  await page.keyboard.press("g");
  await shows(page, "goal-dialog");
  const dialog = page.locator(".goal-dialog");
  const heads = await dialog.locator("h3").allInnerTexts();
  assert.deepEqual(heads, ["Your task", "What must hold", "Programs to compare"]);
  const chips = await page.locator(".goal .chip").allInnerTexts();
  const conditions = await dialog.locator(".conditions li").allInnerTexts();
  assert.equal(conditions.length, chips.length);
  assert.match(conditions[0], /not decided yet/);
  await page.keyboard.press("Escape");
  await gone(page, "goal-dialog");
  await page.keyboard.press("b");
  await page.locator(".chip.bad").waitFor();
  await page.locator(".goal > .all").click({ position: { x: 200, y: 10 } });
  await shows(page, "goal-dialog");
  assert.match(await dialog.locator(".conditions li.bad").first().innerText(), /broken at step 4/);
  // Another program, where one may be chosen.
  await page.keyboard.press("Escape");
  await gone(page, "goal-dialog");
  await part(page, "schedule");
  await page.keyboard.press("G");
  await shows(page, "goal-dialog");
  await dialog.locator('[data-variant="naive"][aria-pressed="true"]').waitFor();
  await dialog.locator('[aria-pressed="false"]').first().click();
  await gone(page, "goal-dialog");
  await page.waitForFunction(() => document.querySelector(".goal .variants").selectedIndex === 1);
});

test("M opens More and closes it; Print prints", async (t) => {
  const page = await open(t, LESSON, { before: (page) => page.addInitScript(() => { window.print = () => { window.printed = true; }; }) });
  await page.locator("main.lesson").waitFor();
  await page.keyboard.press("m");
  const shown = page.locator("#menu:popover-open");
  await shown.waitFor();
  await page.keyboard.press("m");
  await page.locator("#menu:not(:popover-open)").waitFor({ state: "attached" });
  await page.keyboard.press("m");
  await shown.locator('[data-move="print"]').click();
  await page.waitForFunction(() => window.printed);
  assert.equal(await page.locator("#menu:popover-open").count(), 0, "it is not printed with the menu");
});

test("the menus close by Esc and by a press beside them", async (t) => {
  const page = await open(t, LESSON);
  for (const closes of [() => page.keyboard.press("Escape"), () => page.mouse.click(20, 400)]) {
    const shown = await opened(page);
    await closes();
    await shown.waitFor({ state: "hidden" });
  }
});
