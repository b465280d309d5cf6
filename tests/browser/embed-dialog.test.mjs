// A teacher makes a snippet: at a lesson's "Share", and on the page for it; by mouse and by keyboard,
// in both languages, on a phone.

import assert from "node:assert/strict";
import test from "node:test";
import { copies, menu, open, SIZES } from "./harness.mjs";
import { course, inside } from "./host.mjs";

const RUN = "#lesson=lost-update&variant=naive&mode=schedule&schedule=A1.B1.A2.B2&step=4";

/** What is to be pasted, of this kind. */
async function snippet(page, kind) {
  await page.locator(`[data-kind="${kind}"]`).click();
  const area = page.locator(`[data-snippet="${kind}"] textarea`);
  await area.waitFor();
  return area.inputValue();
}
const field = (page, name) => page.locator(`[data-embed-field="${name}"]`);

test("from Share to a snippet that shows exactly this run", async (t) => {
  const page = await open(t, RUN, { permissions: ["clipboard-read", "clipboard-write"], before: copies });
  await menu(page, "share");
  await page.locator('[data-export="embed"]').click();
  const frame = inside(page);
  await frame.locator('main.lesson[data-step-now="4"]').waitFor();
  assert.match(await snippet(page, "frame"), /schedule=A1\.B1\.A2\.B2&amp;step=4/);
  await field(page, "readonly").check();
  await field(page, "panels-redis").uncheck();
  await field(page, "lang").selectOption("zh");
  await frame.locator('html[lang="zh-Hans"][data-readonly][data-panels="code diagram"]').waitFor();
  await page.locator('[data-snippet="frame"] button').click();
  await page.locator('[data-snippet="frame"] button', { hasText: "Copied" }).waitFor();
  const copied = await page.evaluate(() => window.copied);
  assert.equal(copied, await snippet(page, "frame"));
  for (const part of ["<iframe src=", "lang=zh", "panels=code,diagram", "readonly=1", "loading=\"lazy\"",
    'sandbox="allow-scripts allow-same-origin"', "title=\"Interleave: ", "<a href="]) {
    assert.ok(copied.includes(part), `${part}: ${copied}`);
  }

  // Pasted into a page of another origin, it is what the preview showed.
  const pasted = await course(t, copied);
  await inside(pasted).locator('html[lang="zh-Hans"] main.lesson[data-step-now="4"]').waitFor();
  assert.equal(await inside(pasted).locator(".redis").isVisible(), false);
  const element = await snippet(page, "element");
  const other = await course(t, element);
  await inside(other).locator('html[lang="zh-Hans"] main.lesson[data-step-now="4"]').waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("dialog[open]").count(), 0);
});

test("the map of all orders alone is one box, the consoles another", async (t) => {
  const page = await open(t, RUN);
  await menu(page, "share");
  await page.locator('[data-export="embed"]').click();
  await field(page, "map").check();
  const frame = inside(page);
  await frame.locator('html[data-panels="map"] figure.map svg').first().waitFor();
  assert.match(await snippet(page, "frame"), /tabs=find&amp;panels=map/);
  await field(page, "console").check();
  await frame.locator('html[data-panels="console"] .console input').first().waitFor();
  assert.match(await snippet(page, "frame"), /tabs=schedule&amp;panels=console/);
  assert.equal(await field(page, "map").isChecked(), false);
  await field(page, "console").uncheck();
  await frame.locator("main.lesson").waitFor();
  assert.doesNotMatch(await snippet(page, "frame"), /panels|tabs/);
});

test("a scenario of one's own, from the playground into a course page", async (t) => {
  const page = await open(t, "#page=playground");
  await page.locator('[data-own="examples"]').click();
  await page.locator(".own-examples button").nth(1).click();
  await page.locator('[data-mode="schedule"]').click();
  const title = await page.locator(".head h1").innerText();
  await page.keyboard.press("1");
  await page.locator('main.lesson[data-step-now="1"]').waitFor();
  await menu(page, "share");
  await page.locator('[data-export="embed"]').click();
  await inside(page).locator('main.lesson[data-step-now="1"]').waitFor();

  for (const kind of ["frame", "element"]) {
    const pasted = await course(t, await snippet(page, kind));
    const frame = inside(pasted);
    await frame.locator('main.lesson[data-step-now="1"]').waitFor();
    assert.equal(await frame.locator(".head h1").innerText(), title);
    // What the reader has in the playground stays as it is.
    assert.deepEqual(await frame.locator("html").evaluate(() =>
      Object.keys(localStorage).filter((name) => name.includes("own."))), []);
    await frame.locator('[data-mode="find"]').click();
    await frame.locator("main.find").waitFor();
  }

  await field(page, "readonly").check();
  const fixed = await course(t, await snippet(page, "frame"));
  await inside(fixed).locator('main.lesson[data-step-now="1"]').waitFor();
  assert.equal(await inside(fixed).locator('[data-mode="edit"]').isVisible(), false);
});

test("on its own page: lesson, story and steps are chosen", async (t) => {
  const page = await open(t, "#page=embed");
  await field(page, "lesson").selectOption("oversell");
  await page.locator('[data-kind="address"]').click();
  await page.waitForFunction(() =>
    document.querySelector('[data-snippet="address"] textarea')?.value.includes("lesson=oversell"));
  await field(page, "to").fill("2");
  await field(page, "to").blur();
  for (const tab of ["situation", "schedule", "break", "find", "fix", "crowd", "review"]) await field(page, `tabs-${tab}`).uncheck();
  const frame = inside(page);
  await frame.locator('html[data-tabs="watch"] main.lesson').waitFor();
  await menu(frame, "last");
  await frame.locator('main.lesson[data-step-now="2"]').waitFor();
  assert.match(await snippet(page, "address"), /embed\/index\.html\?tabs=watch&to=2#lesson=oversell/);
  await field(page, "poster").check();
  await frame.locator("button.poster").waitFor();
  await field(page, "answers").check();
  assert.ok(!(await snippet(page, "frame")).includes("<a href"), "no way round an exam");
  await page.getByText("needs supervision").waitFor();
});

test("by keyboard alone", async (t) => {
  const page = await open(t, "#page=embed");
  await page.locator('[data-kind="address"]').click();
  await field(page, "tabs-watch").focus();
  await page.keyboard.press("Space");
  await page.waitForFunction(() =>
    document.querySelector('[data-snippet="address"] textarea').value.includes("tabs=situation,schedule"));
  assert.equal(await field(page, "tabs-watch").evaluate((e) => e === document.activeElement), true,
    "what was pressed keeps the focus");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.embedField), "tabs-schedule");
});

for (const size of Object.keys(SIZES)) {
  test(`the page for teachers fits at ${size} px, in Chinese`, async (t) => {
    const page = await open(t, "#page=embed", { size, language: "zh" });
    await page.getByRole("heading", { name: "放进你的课程" }).waitFor();
    await snippet(page, "frame");
    const sticks = await page.evaluate(() =>
      document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(sticks <= 0, `${sticks} px`);
    if (SIZES[size].touch) {
      const small = await page.locator(".maker :is(select, button, label.check)").evaluateAll((all) =>
        all.map((e) => e.getBoundingClientRect().height).filter((height) => height < 43.5));
      assert.deepEqual(small, []);
    }
    });
}
