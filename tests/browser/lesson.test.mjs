// A person at the page: steps two clients into a lost update, goes back, chooses differently, and
// sees the sum come out right. By mouse, by keyboard, by touch; in both languages; by link.

import assert from "node:assert/strict";
import test from "node:test";
import { addressSays, menu, onward, open as start, opened, shown } from "./harness.mjs";

const LESSON = "#lesson=lost-update&mode=schedule";
const BROKEN = "#lesson=lost-update&variant=naive&mode=schedule&schedule=A1.B1.A2.B2&step=4";

const open = (t, address, options) => start(t, address, { unpainted: "words, places and colours are asked of the page", ...options });
const client = (page, letter) => page.locator(`.dock button.step[data-client="${letter}"]`);
/** Not the old look of it that fades out in a film. */
const chip = (page, id) => page.locator(`[data-chip="${id}"]:not(.ghost *)`);
const move = (page, id) => page.locator(`[data-move="${id}"]`);
const balance = (page) => page.locator('.key[data-key="balance"] .val .now:not(.ghost *)');

/** Waits until the page stands at `step`. */
async function at(page, step) {
  await page.locator(`main.lesson[data-step-now="${step}"]`).waitFor();
}

async function isBad(page, id) {
  return (await chip(page, id).getAttribute("class")).includes("bad");
}

test("from the list of lessons to a lost update, back, and round it", async (t) => {
  const page = await open(t);
  await page.locator(".chapter a", { hasText: "Lost update" }).click();
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  assert.equal(await isBad(page, "total"), false, "green from frame 0");

  await client(page, "A").click();
  await client(page, "B").click();
  await client(page, "A").click();
  await at(page, 3);
  assert.equal(await isBad(page, "total"), false, "not broken before both are done");
  await client(page, "B").click();
  await at(page, 4);
  assert.equal(await isBad(page, "total"), true, "the chip turns red at step 4");
  assert.equal(await balance(page).innerText(), "20");
  assert.match(await page.locator(".story:not(.ghost *)").innerText(), /B computed its write \(step 4\) from 10 \(step 2\)/);
  await addressSays(page, "schedule", "A1.B1.A2.B2");

  // Back before B's read, and the other order.
  for (let i = 0; i < 3; i++) await move(page, "back").click();
  await at(page, 1);
  assert.equal(await isBad(page, "total"), false, "green again before the violation");
  for (const letter of ["A", "B", "B"]) await client(page, letter).click();
  await at(page, 4);
  await addressSays(page, "schedule", "A1.A2.B1.B2");
  assert.equal(await isBad(page, "total"), false, "30 is right");
  assert.equal(await balance(page).innerText(), "30");

  // Nothing is lost: the run that was left is kept, and can be taken up again.
  await page.locator(".kept").click();
  await addressSays(page, "schedule", "A1.B1.A2.B2");
  await menu(page, "last");
  assert.equal(await isBad(page, "total"), true);
});

test("a step back and forward shows the same frame", async (t) => {
  const page = await open(t, BROKEN);
  const frame = () => page.locator("main.lesson").getAttribute("data-fingerprint");
  const last = await frame();
  await move(page, "back").click();
  await at(page, 3);
  assert.notEqual(await frame(), last);
  await menu(page, "forward");
  await at(page, 4);
  assert.equal(await frame(), last);
});

test("the language changes in place, at the same step", async (t) => {
  const page = await open(t, BROKEN);
  const frame = await page.locator("main.lesson").getAttribute("data-fingerprint");
  await page.getByRole("button", { name: "中文" }).click();
  await page.locator('.story[aria-label="发生了什么"]').waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "zh-Hans");
  assert.match(await page.locator(".head h1").innerText(), /丢失更新/);
  assert.match(await page.locator(".story:not(.ghost *)").innerText(), /是用 10（第 2 步）算出来的/);
  assert.equal(await page.locator("main.lesson").getAttribute("data-fingerprint"), frame);
  assert.equal(await isBad(page, "total"), true);
  await addressSays(page, "lang", "zh");
  await page.getByRole("button", { name: "English" }).click();
  await page.locator('.story[aria-label="What happened"]').waitFor();
});

test("a link restores lesson, variant, schedule, step and language; a reload changes nothing", async (t) => {
  const page = await open(t, "#lesson=oversell&variant=decr-check&schedule=A1.B1.C1&step=2&lang=zh");
  await at(page, 2);
  assert.match(await page.locator(".head h1").innerText(), /超卖/);
  assert.equal(await page.locator("select.variants option:checked").innerText(), "先 DECR 再判断");
  const before = await page.locator("main.lesson").getAttribute("data-fingerprint");
  // The page writes the mode into its address, too.
  await addressSays(page, "mode", "schedule");
  const link = page.url();
  await page.reload();
  await shown(page);
  await at(page, 2);
  assert.equal(page.url(), link);
  assert.equal(await page.locator("main.lesson").getAttribute("data-fingerprint"), before);
  assert.equal(await page.locator(".strip .cell:not(.empty)").count(), 3, "the third step is still there");
});

test("the story is told step by step and leads to the learner's own schedule", async (t) => {
  const page = await open(t, "#lesson=lost-update");
  await at(page, 0);
  await addressSays(page, "mode", "watch");
  for (let step = 1; step <= 4; step++) {
    await onward(page);
    await at(page, step);
  }
  assert.equal(await isBad(page, "total"), true);
  assert.match(await page.locator(".story.words:not(.ghost *)").innerText(), /lost/);
  await page.getByRole("button", { name: "Schedule it yourself" }).click();
  await at(page, 0);
  await addressSays(page, "mode", "schedule");
});

/** Two that end, and one that goes on without an end. */
const RUN = [["lost-update", "naive"], ["redlock", "redlock"], ["watchdog", "watchdog"]];

test("a variant is run to its end, wherever that is", async (t) => {
  const page = await open(t);
  for (const [lesson, variant] of RUN) {
    await page.evaluate((hash) => { location.hash = hash; }, `#lesson=${lesson}&variant=${variant}&mode=schedule`);
    await page.waitForFunction((id) => location.hash.includes(`lesson=${id}`), lesson);
    await at(page, 0);
    await page.keyboard.press("x");
    await page.waitForFunction(() => {
      const over = [...document.querySelectorAll(".client .status")].every((status) =>
        /finished|failed/.test(status.textContent));
      return document.querySelector('main.lesson[data-step-now="400"]') ||
        (over && !document.querySelector('main.lesson[data-step-now="0"]'));
    });
    await page.evaluate(() => { location.hash = "#"; });
    await page.locator(".home").waitFor();
  }
});

test("by keyboard alone", async (t) => {
  const page = await open(t, LESSON);
  await page.locator("main.lesson").waitFor();
  for (const key of ["1", "2", "1", "2"]) await page.keyboard.press(key);
  await at(page, 4);
  assert.equal(await isBad(page, "total"), true);
  await page.keyboard.press("Home");
  await at(page, 0);
  await page.keyboard.press("ArrowRight");
  await at(page, 1);
  await page.keyboard.press("End");
  await at(page, 4);
  await page.keyboard.press("r");
  await at(page, 0);
  await page.keyboard.press("Shift+Digit2");
  await at(page, 2);
  await addressSays(page, "schedule", "B1.B2");
  await page.keyboard.press("?");
  assert.equal(await page.locator("dialog.help").evaluate((dialog) => dialog.open), true);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("dialog.help").evaluate((dialog) => dialog.open), false);
  await page.keyboard.press("Home");
  // Reaching a step button with Tab and pressing it, as one does without a mouse.
  await client(page, "A").focus();
  await page.keyboard.press("Enter");
  await at(page, 1);
  await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("schedule")?.startsWith("A1"));
});

test("by touch on a phone", async (t) => {
  const page = await open(t, LESSON, { size: 390 });
  const step = (letter) => page.locator(`.dock .step[data-client="${letter}"]`);
  for (const letter of ["A", "B", "A", "B"]) await step(letter).tap();
  await at(page, 4);
  assert.equal(await isBad(page, "total"), true);
  const small = await page.locator("button:visible, select:visible").evaluateAll((all) =>
    all
      .map((e) => ({ text: e.innerText || e.ariaLabel || e.className, ...e.getBoundingClientRect().toJSON() }))
      .filter((box) => box.height < 43.5 && !box.text.includes("kept"))
      .map((box) => `${box.text}: ${box.height}`)
  );
  assert.deepEqual(small, [], "targets are at least 44 px high");
  await page.locator(".strip .start").tap();
  await at(page, 0);
});

test("the strip is a scrubber", async (t) => {
  const page = await open(t, BROKEN);
  await page.locator('.strip [data-step="2"]').click();
  await at(page, 2);
  const first = await page.locator('.strip [data-step="1"]').boundingBox();
  const last = await page.locator('.strip [data-step="4"]').boundingBox();
  await page.mouse.move(first.x + 5, first.y + 16);
  await page.mouse.down();
  await at(page, 1);
  await page.mouse.move(last.x + last.width / 2, last.y + 16, { steps: 12 });
  await page.mouse.up();
  await at(page, 4);
});

test("a new address is followed even if the page is busy with a step", async (t) => {
  const page = await open(t, BROKEN);
  await at(page, 4);
  // In one task: the event that tells of the new address comes after the step.
  await page.evaluate(() => {
    location.hash = "#lesson=oversell&mode=schedule&schedule=A1";
    document.querySelector('[data-move="back"]').click();
  });
  await page.locator(".head h1", { hasText: "Oversell" }).waitFor();
  await addressSays(page, "schedule", "A1");
});

test("play goes to the end and stops", async (t) => {
  const page = await open(t, `${BROKEN.replace("step=4", "step=0")}`);
  await (await opened(page)).getByRole("combobox", { name: "Speed" }).selectOption({ label: "4×" });
  await menu(page, "play");
  await page.locator('#menu [data-move="play"][aria-pressed="true"]', { hasText: "Pause" }).waitFor({ state: "attached" });
  await at(page, 4);
  await page.locator('#menu [data-move="play"][aria-pressed="false"]', { hasText: "Play" }).waitFor({ state: "attached" });
});

test("both themes, switched in place and kept", async (t) => {
  const page = await open(t, BROKEN, { theme: "light" });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  const theme = (await opened(page)).locator('[data-move="theme"]');
  await theme.click();
  await theme.click();
  await page.locator('html[data-theme="dark"]').waitFor();
  assert.notEqual(await ground(), light);
  await page.reload();
  await shown(page);
  assert.notEqual(await ground(), light, "the choice outlives a reload");
});

for (const [name, fragment, says] of [
  ["an unknown variant", "#lesson=lost-update&variant=nope", /no variant “nope”.*naive, incrby/],
  ["an unknown mode", "#lesson=lost-update&mode=nope", /no part “nope”.*Watch · Schedule/],
  ["an unknown story", "#lesson=lost-update&walk=nope", /no story “nope”/],
  ["a broken schedule", "#lesson=lost-update&schedule=A1.%3F%3F.B1", /Step 2 .*“\?\?”/],
  ["an impossible step", "#lesson=lost-update&schedule=A1.A2.A3", /Step 3 .*“A3”.*A finished/],
  ["a client that is not there", "#lesson=lost-update&schedule=A1.F1", /no client F here, only A, B/],
  ["a wrong number", "#lesson=lost-update&schedule=A1.A7", /“A7”, but that would be A2/],
  ["time where none passes", "#lesson=lost-update&schedule=T1", /no key expires/],
  ["a step beyond the end", "#lesson=lost-update&schedule=A1&step=9", /step 9, but this run has 1/],
  ["a step that is no number", "#lesson=lost-update&step=x", /step=“x”/],
  ["an unknown language", "#lesson=lost-update&lang=xx", /lang=“xx”.*en, zh/],
]) {
  test(`${name} in the link: a banner, and the lesson goes on`, async (t) => {
    const page = await open(t, fragment);
    await page.locator(".banner").waitFor();
    assert.match(await page.locator(".banner").innerText(), says);
    await page.locator("main.lesson").waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
    assert.equal(await page.locator(".banner").count(), 0);
    await page.getByRole("button", { name: "Schedule", exact: true }).click();
    await client(page, "B").click();
  });
}

test("an unknown lesson: a banner above the list of lessons", async (t) => {
  const page = await open(t, "#lesson=no-such-lesson");
  await page.locator(".banner").waitFor();
  assert.match(await page.locator(".banner").innerText(), /no lesson “no-such-lesson”/);
  await page.getByRole("link", { name: /Oversell/ }).click();
  await page.locator("main.situation").waitFor();
  // The browser itself notes the file that was not there.
  page.expect(/404/);
});

test("an id that is no folder's name is never asked for", async (t) => {
  const page = await open(t, "#lesson=..%2F..%2Fsecret");
  await page.locator(".banner").waitFor();
  assert.match(await page.locator(".banner").innerText(), /no lesson/);
});

test("without storage and under a sub-path all of it works", async (t) => {
  const page = await open(t, "", { base: "/courses/redis/" });
  await page.locator(".chapter a", { hasText: "Lost update" }).click();
  await page.locator("main.situation").waitFor();
  await page.keyboard.press("n");
  await page.locator("main.lesson").waitFor();
  await page.keyboard.press("ArrowRight");
  await at(page, 1);
});

for (const size of [1440, 1280, 800]) {
  test(`at ${size} px the line, the reply and the broken chip are seen without scrolling`, async (t) => {
    const page = await open(t, BROKEN.replace("lost-update", "oversell"), { size });
    await at(page, 4);
    await page.locator(".client").first().waitFor();
    for (const what of [".chip.bad", ".story", ".code li.ran", ".code li:is(.next, .last:has(.tag))", ".diagram .breaks"]) {
      const hidden = await page.locator(what).first().evaluate((element) => {
        const box = element.getBoundingClientRect();
        for (let node = element.parentElement; node; node = node.parentElement) {
          const outer = node.getBoundingClientRect();
          const clips = getComputedStyle(node).overflowY !== "visible";
          if (clips && (box.top < outer.top - 1 || box.bottom > outer.bottom + 1)) return node.className;
        }
        return box.top < 0 || box.bottom > innerHeight ? "window" : "";
      });
      assert.equal(hidden, "", `${what} is cut off by ${hidden}`);
    }
  });
}

test("a page that is not there is said so, above the list of lessons", async (t) => {
  const page = await open(t, "#page=nope");
  await page.locator(".banner", { hasText: "page=“nope”" }).waitFor();
  assert.ok((await page.locator(".chapter").count()) > 0);
});

test("Back leads through the tabs and from a run to what it was opened from", async (t) => {
  const page = await open(t, "#lesson=lost-update&variant=naive&mode=schedule");
  await page.locator('.dock [data-client="A"]').click();
  for (const mode of ["find", "review"]) await page.locator(`[data-mode=${mode}]`).click();
  const quiz = page.locator('[data-quiz="both-read"]');
  await quiz.locator(".choice").last().click();
  await quiz.locator(".told").waitFor();
  await quiz.locator(".to-schedule").last().click();
  await page.locator('main.lesson[data-step-now="2"]').waitFor();
  await page.locator(".asked-from button").click();
  await quiz.locator(".told").waitFor();
  await page.goBack();
  await page.locator('main.lesson[data-step-now="2"]').waitFor();
  await page.goBack();
  await quiz.locator(".told").waitFor();
  await page.goBack();
  await page.locator("main.find").waitFor();
});
