// Results without a server: a student's code from the end of a lesson, as a link and as a picture; a class of codes as
// a table and a file; progress that is carried to another browser. How codes are written and what is wrong with broken
// ones is held natively (src/view/class/tests.rs). jsqr reads the picture as a phone does, and needs nothing else.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import jsqr from "jsqr";
import { PNG } from "pngjs";
import { copies, onward, open, part, ROOT, saved } from "./harness.mjs";

const lesson = JSON.parse(readFileSync(join(ROOT, "dist/lessons/lost-update.json"), "utf8"));

/** What a phone's camera reads in the picture of the dialog. */
async function scanned(page) {
  const { data, width, height } = PNG.sync.read(await page.locator("svg.qr").screenshot());
  return jsqr(new Uint8ClampedArray(data), width, height)?.data;
}

/** Goes through a lesson's story and its questions, to the link with the result. */
async function toResult(page, name, how = "click") {
  const steps = Number(await page.locator(".strip").getAttribute("aria-valuemax"));
  for (let step = 1; step <= steps; step++) {
    await onward(page, how);
    await page.locator(`main.lesson[data-step-now="${step}"]`).waitFor();
  }
  await part(page, "review", how);
  for (const quiz of lesson.quizzes) {
    const article = page.locator(`[data-quiz="${quiz.id}"]`);
    for (const right of quiz.right) await article.locator(".choice").nth(right)[how]();
    if (quiz.several) await article.locator(".give")[how]();
    await article.locator(".told .ok").waitFor();
  }
  await page.locator(".foot .to-result")[how]();
  await page.locator('[data-result="name"]').fill(name);
  return page.locator('[data-result="link"]').inputValue();
}

test("from the end of a lesson to the table of a class and its file", async (t) => {
  const permissions = ["clipboard-read", "clipboard-write"];
  const student = await open(t, "#lesson=lost-update&mode=watch&lang=en", { permissions, before: copies });
  const link = await toResult(student, "=Ann 李明");
  assert.match(link, /#page=class&result=IL1\.[\w-]+\.[0-9a-f]{8}$/);
  assert.equal(await scanned(student), link);
  assert.match(await student.locator(".result-dialog .limit").innerText(), /not signed/);
  await student.locator('[data-result="copy"]').click();
  await student.waitForFunction((link) => window.copied === link, link);
  await student.keyboard.press("Escape");
  assert.equal(await student.locator("dialog[open]").count(), 0);

  const phone = await open(t, "#lesson=lost-update&mode=watch&lang=zh", { size: 360, theme: "dark" });
  const other = await toResult(phone, "Bo", "tap");
  assert.equal(await scanned(phone), other);

  const teacher = await open(t, "#page=class&lang=en");
  const mails = `Hello,\n${other}\nBo\n\n> my code is ${link.slice(link.indexOf("IL1"))}.\n\n${link.slice(0, -3)}\n`;
  await teacher.locator('[data-class="text"]').fill(mails);
  const cells = (row) => teacher.locator(`.sheet tbody tr:nth-child(${row}) :is(th, td)`).allInnerTexts();
  await teacher.locator(".sheet tbody tr").nth(1).waitFor();
  const [ann, bo] = [await cells(1), await cells(2)];
  assert.equal(ann[0], "=Ann 李明");
  assert.match(ann[1], /^25%\s+2 of 4$/);
  assert.equal(bo[0], "Bo");
  assert.match(await teacher.locator(".wrong li").innerText(), /^Line 7: its end is missing/);
  const { name, bytes } = await saved(teacher, () => teacher.locator('[data-class="csv"]').click());
  assert.equal(name, "class.csv");
  const lines = bytes.toString("utf8").split("\r\n");
  const reached = '25,"Watch, Rule"';
  assert.deepEqual(lines, [
    "\ufeffName,Day,Lost update (%),Lost update: goals reached",
    `'=Ann 李明,${ann[2]},${reached}`,
    `Bo,${bo[2]},${reached}`,
    "",
  ]);
  // The link alone opens the page with its row; what it says is not kept in the address.
  const opened = await open(t, other.slice(other.indexOf("#")));
  await opened.locator(".sheet tbody th", { hasText: "Bo" }).waitFor();
  assert.doesNotMatch(opened.url(), /result=/);
});

test("progress is saved, and added to that of another browser", async (t) => {
  const page = await open(t, "#lesson=lost-update&mode=watch&lang=en");
  await toResult(page, "Ann");
  await page.keyboard.press("Escape");
  await page.evaluate(() => { location.hash = "#page=progress&lang=en"; });
  const row = (page) => page.locator(".sheet tr", { hasText: "Lost update" });
  const before = await row(page).innerText();
  assert.match(before, /25%\s+Watch, Rule/);
  const file = await saved(page, () => page.locator('[data-result="save"]').click());

  const other = await open(t, "#page=progress&lang=en");
  await other.getByText("Nothing has been done yet").waitFor();
  const field = other.locator('[data-result="open"]');
  const mimeType = "application/json";
  await field.setInputFiles({ name: "other.json", mimeType, buffer: Buffer.from("{}") });
  await other.locator(".failure", { hasText: "other.json" }).waitFor();
  await field.setInputFiles({ name: file.name, mimeType, buffer: file.bytes });
  await other.locator(".told", { hasText: "1 lesson" }).waitFor();
  assert.equal(await row(other).innerText(), before);
  await other.reload();
  assert.equal(await row(other).innerText(), before);
});
