// First visits: what a learner does within the first minute, in both languages, on a desktop and on a
// phone. What they run is the first part of the page's program, what visits to lessons run its second
// (record.mjs); later.test.mjs holds that they need no more. `start(address, options)` opens a page, as `open` of the harness does.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { part, ROOT } from "./harness.mjs";

const step = (page, number) =>
  page.locator(`main.lesson[data-step-now="${number}"]`).waitFor();
const KEYS = { first: "Home", last: "End", back: "ArrowLeft", forward: "ArrowRight", play: " " };

/** By the button, or by the key where there is no room for one. */
async function move(page, id) {
  const button = page.locator(`[data-move="${id}"]`).filter({ visible: true });
  if (await button.count() > 0) return button.first().click();
  // Space on a button is for that button. (The menu comes later, when it is opened.)
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press(KEYS[id]);
}

async function steps(page) {
  return Number(await page.locator(".strip .cell").count());
}

/** Through the guided walk, its question answered, forwards and back. */
async function watch(page) {
  await step(page, 0);
  const count = await steps(page);
  await move(page, "forward");
  await step(page, 1);
  await move(page, "play");
  // It stops before the decisive step, and that answers.
  await page.locator(".ask").waitFor();
  await page.keyboard.press("2");
  await page.locator('[data-ask="go"]').click();
  await step(page, count);
  await page.keyboard.press("Home");
  for (let number = 1; number <= count; number++) {
    await page.keyboard.press("ArrowRight");
    await step(page, number);
  }
  await page.keyboard.press("ArrowLeft");
  await step(page, count - 1);
  await page.keyboard.press("Home");
  await step(page, 0);
  await move(page, "forward");
  await step(page, 1);
  await move(page, "last");
  await step(page, count);
  await move(page, "back");
  await move(page, "first");
  await step(page, 0);
}

/** Both clients by hand, back, and the other order. */
async function schedule(page) {
  await part(page, "schedule");
  await step(page, 0);
  const client = (letter) =>
    page.locator(`button.step[data-client="${letter}"]`).filter({ visible: true }).first();
  for (const letter of ["A", "B", "A", "B"]) await client(letter).click();
  await step(page, 4);
  for (let i = 0; i < 3; i++) await move(page, "back");
  await step(page, 1);
  for (const letter of ["A", "B", "B"]) await client(letter).click();
  await step(page, 4);
  await page.keyboard.press("1");
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+2");
  await page.locator(".strip .cell").first().click();
}

/** Both languages, and back to the one there was. */
async function languages(page) {
  const lang = page.locator("button.lang");
  for (let i = 0; i < 2; i++) {
    const before = await page.locator("html").getAttribute("lang");
    await lang.click();
    await page.locator(`html:not([lang="${before}"])`).waitFor();
  }
}

const OPTIONS = [
  { language: "en", size: 1440 },
  { language: "zh", size: 390 },
  { language: "zh", size: 1280, theme: "dark" },
  { language: "en", size: 390 },
];

/** The front page's run: to its end, and the other order. What a film needs comes after the first paint. */
async function front(page) {
  const at = (step) => page.locator(`.front .stage[data-step-now="${step}"]`).waitFor();
  const rest = () => page.waitForFunction(() =>
    document.getAnimations().every((one) => one.playState !== "running"));
  let number = 0;
  await at(number);
  for (const client of ["A", "B", "A", "B", "", "", "", "A", "B", "B"]) {
    const button = client ? `[data-client="${client}"]` : '[data-move="back"]';
    await page.locator(`.front ${button}`).click();
    number += client ? 1 : -1;
    await at(number);
    await rest();
  }
  await page.keyboard.press("ArrowLeft");
  await at(number - 1);
}

/** Each is a name and what happens. */
export const VISITS = OPTIONS.flatMap((options, at) => {
  const name = `${options.language}, ${options.size} px`;
  const visit = [`the front page's run (${name})`, async (start) => {
    const page = await start("", options);
    await front(page);
    return page;
  }];
  return [
    // One on a desktop, one on a phone: it takes half a minute.
    ...(at < 2 ? [visit] : []),
    [`the list of lessons and the first lesson (${name})`, async (start) => {
      const page = await start("", options);
      await page.locator(".chapter a").first().waitFor();
      await languages(page);
      await page.locator('.outcome a[href*="lesson=lost-update"]').click();
      await watch(page);
      await languages(page);
      await schedule(page);
      await languages(page);
      await page.locator(".head .mark").click();
      await page.locator(".chapter a").first().waitFor();
      return page;
    }],
    [`a link to the first lesson (${name})`, async (start) => {
      const page = await start("#lesson=lost-update", options);
      await step(page, 0);
      await schedule(page);
      await page.setViewportSize({ width: 800, height: 500 });
      return page;
    }],
  ];
});

// A window in which the page is neither that of a phone nor that of one that lies.
VISITS.push(["a link to the first lesson (en, 375×480)", async (start) => {
  const page = await start("#lesson=lost-update", { language: "en", size: { width: 375, height: 480 } });
  await step(page, 0);
  await schedule(page);
  return page;
}]);

/** Presses in an order of chance, always the same: what is there answers not one order alone. */
async function wander(page, presses, pressed) {
  await page.evaluate(async ([presses, pressed]) => {
    let seed = 1;
    const chance = (below) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let press = 0; press < presses; press++) {
      const buttons = [...document.querySelectorAll(pressed)]
        .filter((one) => one.checkVisibility() && !one.closest(".ghost") && !one.matches("[aria-disabled], :disabled"));
      if (buttons.length > 0) buttons[chance(buttons.length)].click();
      for (let turn = 0; turn < 2; turn++) await new Promise(requestAnimationFrame);
    }
  }, [presses, pressed]);
}

const STEPS = "button.step, [data-move=back], [data-move=forward], [data-move^=answer-], [data-ask]";

/** Visits that are recorded, and not tried again. */
export const WANDERINGS = OPTIONS.slice(0, 2).flatMap((options) =>
  ["", "#lesson=lost-update", "#lesson=lost-update&mode=schedule"].map((address) => {
    const wandering = async (start) => {
      const page = await start(address, options);
      await page.locator("button.step").filter({ visible: true }).first().waitFor();
      await wander(page, 80, STEPS);
      // Where there is little room, words are shortened further.
      await page.setViewportSize({ width: 640, height: 360 });
      await wander(page, 80, STEPS);
      return page;
    };
    return [`presses at random (${address || "the front page"}, ${options.language})`, wandering];
  }));

/** The ids of all lessons. */
export const LESSONS = readdirSync(join(ROOT, "static/lessons"), { withFileTypes: true })
  .filter((one) => one.isDirectory()).map(({ name }) => name).sort();

/** Says whether what a lesson runs has changed: FNV-1a of its manifest and programs (tests/tidy.rs has it, too). */
export function fingerprint(id) {
  const folder = join(ROOT, "static/lessons", id);
  const files = readdirSync(folder).filter((name) => /\.(toml|lua)$/.test(name)).sort();
  const bytes = files.flatMap((name) => [...readFileSync(join(folder, name))]);
  const hash = bytes.reduce((sum, byte) => Math.imul(sum ^ byte, 0x01000193), 0x811c9dc5);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** Presses through Watch, Schedule and Break. */
async function lesson(page) {
  for (const mode of ["watch", "schedule", "break"]) {
    if (await page.locator(`[data-mode="${mode}"]`).count() === 0) continue;
    await part(page, mode);
    await page.locator("button.step").filter({ visible: true }).first().waitFor();
    await wander(page, 50, STEPS);
    for (const key of ["a", "t", "b", "Home", "ArrowRight"]) await page.keyboard.press(key);
  }
}

/**
 * Any lesson, by a link: its situation, Watch, Schedule and Break, at random. A mixed exercise begins elsewhere, also where
 * a link names the part in which lessons begin.
 */
export const LESSON_VISITS = LESSONS.flatMap((id) => OPTIONS.slice(0, 2).map((options, at) => {
  const modes = ["&mode=situation", id.startsWith("mix-") ? "&mode=watch" : ""];
  const visit = async (start) => {
    const page = await start(`#lesson=${id}${modes[at]}`, options);
    await lesson(page);
    await page.setViewportSize({ width: 800, height: 500 });
    if (at === 0) await languages(page);
    await wander(page, 20, STEPS);
    return page;
  };
  return [`${id} (${options.language})`, visit];
}));

/** In a course page: what its element asks for, and how it looks. */
const EMBEDS = [
  ['lesson="oversell" mode="schedule"', OPTIONS[0]],
  ['lesson="redlock" variant="three-keys" mode="schedule" lang="zh" theme="dark" tabs="watch,schedule"', OPTIONS[1]],
  ['lesson="lost-update" variant="watch" mode="schedule" max="500" title="A lesson"', OPTIONS[3]],
  ['lesson="sign-up" mode="break" height="420"', OPTIONS[2]],
];

/** A lesson in a course page; what is recorded and looked at is the frame. */
export const EMBED_VISITS = EMBEDS.map(([attributes, options]) => {
  const visit = async (start) => {
    const page = await start("", options);
    const body = `<!doctype html><title>A course</title><redis-lesson ${attributes}></redis-lesson><script src="embed/embed.js"></script>`;
    await page.route("**/course.html", (route) => route.fulfill({ contentType: "text/html", body }));
    await page.goto(new URL("course.html", page.url()).href);
    await page.frameLocator("iframe").locator("button.step").filter({ visible: true }).first().waitFor();
    const [, frame] = page.frames();
    await wander(frame, 50, STEPS);
    for (const theme of ["dark", "light"]) {
      await page.evaluate((theme) => document.querySelector("redis-lesson").setAttribute("theme", theme), theme);
      await frame.locator(`html[data-theme=${theme}]`).waitFor();
    }
    await page.setViewportSize({ width: 640, height: 400 });
    await wander(frame, 20, STEPS);
    return page;
  };
  return [`an embed, ${attributes}`, visit];
});
