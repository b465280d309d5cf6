// The presenter view: opened and left by key and by button, driven by a clicker; and read from the back of a hall, in
// every lesson, at every step of its story, in the sizes of projectors.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { addressSays, faultsOf, menu, open, ROOT, stepped, still } from "./harness.mjs";

/**
 * The projectors, and the least size of type there, in px: of programs, of the sentence, of all else. Stories are
 * walked step by step in the smallest and in the largest; of the one between, the last step tells enough.
 */
const PROJECTORS = [
  { size: { width: 1024, height: 768 }, least: [24, 26, 18], lang: "en", walked: true },
  { size: { width: 1280, height: 720 }, least: [24, 26, 18], lang: "zh", walked: false },
  { size: { width: 1920, height: 1080 }, least: [28, 34, 18], lang: "en", walked: true },
];
const WALK = "#lesson=lost-update&variant=naive&mode=watch&walk=lost&step=0";
/** The first story of each lesson that has one. */
const STORIES = readdirSync(join(ROOT, "dist/lessons"))
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(join(ROOT, "dist/lessons", name), "utf8")))
  .filter(({ walks }) => walks?.length > 0)
  .map(({ id, walks }) => ({ address: `#lesson=${id}&mode=watch&step=0&present=1`, steps: walks[0].schedule.split(".").length }));

const at = (page, step) => page.locator(`main.lesson[data-step-now="${step}"]`).waitFor();
const view = (page) => page.locator(".page.presenting");

/**
 * What cannot be read, in words; nothing if all is well: text that lies on text, cards on cards, what is cut at an edge
 * of its card or of the window, and type that is too small.
 */
const unread = ([program, sentence, other]) => {
  const zoom = Number(getComputedStyle(document.documentElement).getPropertyValue("--zoom")) || 1;
  const faults = new Set();
  const fault = (words) => faults.add(words);
  const named = (text) => `“${text.trim().replace(/\s+/g, " ").slice(0, 24)}”`;
  /** The part of a box that its scrolling ancestors show. */
  const shown = (element, box) => {
    let { left, top, right, bottom } = box;
    for (let one = element; one && one !== document.body; one = one.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(one);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const around = one.getBoundingClientRect();
      [left, top] = [Math.max(left, around.left), Math.max(top, around.top)];
      [right, bottom] = [Math.min(right, around.right), Math.min(bottom, around.bottom)];
    }
    return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom } : null;
  };
  const over = (one, two) =>
    Math.min(
      Math.min(one.right, two.right) - Math.max(one.left, two.left),
      Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top),
    );
  const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });

  // Words, each piece by itself. The picture's are laid out, and tested, natively.
  const words = [];
  const walker = document.createTreeWalker(document.querySelector(".page"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.data.trim() === "" || !seen(element) || element.closest(".sr, .film, .twin, title, [popover], dialog")) {
      continue;
    }
    const size = parseFloat(getComputedStyle(element).fontSize) * zoom;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 1);
    const visible = boxes.map((box) => shown(element, box)).filter(Boolean);
    if (visible.length === 0) continue;
    const need = element.closest(".code li:not(.last) .text") && !element.closest(".values") ? program
      : element.closest(".say .story") ? sentence : other;
    if (size < need - 0.1) fault(`${named(node.data)} is set in ${size.toFixed(1)} px (${element.className})`);
    if (element.closest("svg, .heads")) continue;
    // A word of three letters on three lines has no room for one.
    const letters = node.data.trim().length;
    if (element.closest(".key") && letters > 2 && boxes.length > letters / 2 && /^\S+$/.test(node.data.trim())) {
      fault(`${named(node.data)} is broken into letters (${element.className})`);
    }
    for (const box of boxes) {
      // An end that has no room is cut with a mark, and its whole is a title; a beginning never is.
      const card = element.closest(".key, .listing, .slot, .inbox, .beside, .gauge, .goal, .say, .ask");
      const around = card?.getBoundingClientRect();
      if (around && box.left < around.left - 1) fault(`${named(node.data)} is cut at the left`);
    }
    // Letters fill the middle of their line.
    for (const box of visible) {
      const air = (box.bottom - box.top) * 0.2;
      words.push({ node, text: node.data, box: { ...box, top: box.top + air, bottom: box.bottom - air } });
    }
  }
  for (const [at, one] of words.entries()) {
    for (const two of words.slice(at + 1)) {
      if (one.node !== two.node && over(one.box, two.box) > 2) fault(`${named(one.text)} lies on ${named(two.text)}`);
    }
  }

  const bars = ".goal, .say, .dock, .podium > *, .by-hand";
  const panels = ".diagram, .ask, .listing, .key, .beside, .gauge, .slot, .inbox, .conn";
  const cards = [...document.querySelectorAll(`${bars}, ${panels}`)].filter(seen);
  const placed = cards.map((card) => [card, shown(card.parentElement, card.getBoundingClientRect())]);
  for (const [at, [one, box]] of placed.entries()) {
    for (const [two, other] of placed.slice(at + 1)) {
      if (!box || !other || one.contains(two) || two.contains(one)) continue;
      // The slot closes the inbox; elsewhere two frames may share a line.
      if (one.matches(".inbox") && two.matches(".slot")) continue;
      if (over(box, other) > 3) fault(`a ${one.className} lies on a ${two.className}`);
    }
  }
  for (const card of document.querySelectorAll(".redis .key, .redis .beside, .listing")) {
    const box = card.getBoundingClientRect();
    if (seen(card) && (box.right > innerWidth + 1 || box.left < -1)) fault(`a ${card.className} sticks out`);
  }
  for (const one of document.querySelectorAll(".story, .goal, .podium, .by-hand")) {
    if (one.scrollHeight > one.clientHeight + 2 || one.scrollWidth > one.clientWidth + 2) {
      fault(`${one.className}: ${one.scrollWidth}×${one.scrollHeight} in ${one.clientWidth}×${one.clientHeight}`);
    }
  }
  const hidden = [...document.querySelectorAll(".goal .claim")].filter((one) => !seen(one)).length;
  const told = [...document.querySelectorAll(".goal .more")].filter(seen).map((one) => Number(one.textContent));
  if (hidden !== (told[0] ?? 0)) fault(`${hidden} conditions are left out, ${told[0] ?? 0} are said to be`);
  const height = document.querySelector(".diagram").clientHeight * zoom;
  if (height < 90) fault(`the diagram is ${height.toFixed(0)} px high`);
  const redis = document.querySelector(".redis");
  const changed = redis.querySelector(".key.changed")?.getBoundingClientRect();
  if (changed && !shown(redis, changed)) fault("the key that has changed is out of sight");
  const lines = document.querySelector(".listing.open .lines");
  // Of one that is higher than the pane, its head.
  const heads = [...(lines?.querySelectorAll(".next") ?? [])].map((one) => one.getBoundingClientRect());
  const next = heads.map((box) => shown(lines, { ...box.toJSON(), bottom: Math.min(box.bottom, box.top + 28) }));
  if (next.length > 0 && !next.some(Boolean)) fault("the line where the program stands is out of sight");
  return [...faults];
};

for (const { size, least, lang, walked } of PROJECTORS) {
  test(`every story can be read at ${size.width}×${size.height}`, async (t) => {
    const calm = "the layout of every step is measured, not its film";
    const page = await open(t, "#page=glossary", { size, calm, language: lang });
    const look = `async () => {
      const unread = () => (${unread})(${JSON.stringify(least)});
      const frames = async (until) => {
        for (let turn = 0; turn < 2 || !until(); turn++) await new Promise(requestAnimationFrame);
      };
      await frames(() => true);
      const faults = unread();
      if (!document.querySelector(".ask [data-ask=skip]")) return faults;
      // A question says first that the next press leaves it.
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "PageDown", code: "PageDown", bubbles: true, cancelable: true }));
      await frames(() => document.querySelector(".ask .passes"));
      return [...faults, ...unread().map((one) => "told: " + one)];
    }`;
    const stories = STORIES.map(({ address, steps }) => ({ address: `${address}&lang=${lang}`, steps }));
    const found = await stepped(page, stories, look, { forward: "PageDown", leave: "PageDown", last: !walked });
    assert.ok(found.length > 30, `${found.length} stories`);
    assert.deepEqual(faultsOf(found, stories), []);
  });
}

test("a clicker drives it", async (t) => {
  const page = await open(t, WALK, { size: PROJECTORS[1].size });
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
  const page = await open(t, "#lesson=lost-update&variant=naive&mode=schedule", { size: PROJECTORS[2].size });
  await menu(page, "present");
  await view(page).waitFor();
  await page.keyboard.press("1");
  await at(page, 1);
  await page.keyboard.press("2");
  await at(page, 2);
  await still(page);
  assert.deepEqual(await page.evaluate(unread, PROJECTORS[2].least), []);
  const around = await page.locator(".podium, .by-hand").allInnerTexts();
  assert.match(around.join(" "), /step 2 of 2.*Leave.*Esc.*A B C.*PageDown.*PageUp.*all keys/s);
  await page.getByRole("button", { name: "Leave" }).click();
  await page.locator(".page:not(.presenting)").waitFor();
  await at(page, 2);
});

test("a link opens it", async (t) => {
  const page = await open(t, "#lesson=lost-update&schedule=A1.B1.A2.B2&step=3&present=1", { size: PROJECTORS[1].size });
  await view(page).waitFor();
  await at(page, 3);
});
