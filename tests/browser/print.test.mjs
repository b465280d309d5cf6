// On paper a lesson is a handout: what is printed is read back from the PDF's own pages. Node reads no PDF, and a
// bare machine has no pdftotext, so unpdf does: Mozilla's PDF.js in one package that needs nothing else.

import assert from "node:assert/strict";
import test from "node:test";
import { getDocumentProxy } from "unpdf";
import { open } from "./harness.mjs";

/**
 * What is printed, page by page: its lines from top to bottom, each a list of { text, x }; none is beyond the edge. A
 * frame is one picture for the printer, so a page may end within a line of it.
 */
async function printed(page, { isFrame = false } = {}) {
  const bytes = await page.pdf({ format: "A4", preferCSSPageSize: true });
  // In points; around a frame the margins are the host's.
  const margin = isFrame ? 0 : 30;
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const numbers = Array.from({ length: pdf.numPages }, (_, at) => at + 1);
  return Promise.all(numbers.map(async (number) => {
    const sheet = await pdf.getPage(number);
    const { items } = await sheet.getTextContent();
    const lines = new Map();
    for (const { str, width, transform: [, , , , x, y] } of items) {
      if (str.trim() === "") continue;
      assert.ok(x > 0 && x + width <= sheet.view[2] - margin && (isFrame || y > margin), `page ${number} cuts “${str}”`);
      const line = lines.get(Math.round(y)) ?? [];
      lines.set(Math.round(y), [...line, { text: str, x }]);
    }
    const sorted = [...lines].sort(([one], [two]) => two - one);
    return sorted.map(([, line]) => line.sort((one, two) => one.x - two.x));
  }));
}

/** Letters and digits alone: paper breaks lines elsewhere, and a PDF may name a sign by its look. */
const plain = (text) => text.normalize("NFKC").replace(/[^\p{L}\p{N}]/gu, "");
const words = (lines) => lines.flat().map(({ text }) => text).join(" ");

const at = (page, step) => page.locator(`main.lesson[data-step-now="${step}"]`).waitFor();

/** What the screen says of a story at its end. */
async function told(page) {
  const steps = Number(await page.locator(".strip").getAttribute("aria-valuemax"));
  await page.keyboard.press("End");
  await at(page, steps);
  const texts = (selector) => page.locator(selector).evaluateAll((all) => all.map((one) => one.textContent));
  return {
    steps,
    last: await texts(".say .story :is(p, li)"),
    program: await page.locator(".listing .code li:not(.last) .text").evaluateAll((all) =>
      all.map((one) => {
        const line = one.cloneNode(true);
        line.querySelector(".values")?.remove();
        return line.textContent;
      }),
    ),
    claims: await texts(".goal .chip"),
  };
}

const HEADS = { en: ["Every step in words", "At the end of the run"], zh: ["逐步说明", "运行结束时"] };

/** Holds what `page` prints against what its story says. */
async function whole(page, story, lang, what) {
  const pages = await printed(page);
  const lines = pages.flat();
  const all = plain(words(lines));
  const [from, to] = HEADS[lang].map((head) => lines.findIndex((line) => plain(words([line])) === plain(head)));
  assert.ok(from > 0 && to > from, `${what}: ${from} ${to}\n${lines.map((line) => words([line])).join("\n")}`);
  const edge = Math.min(...lines.flat().map(({ x }) => x));
  const rows = lines.slice(from, to).filter(([{ text, x }]) => /^\d+$/.test(text) && x < edge + 2);
  assert.equal(rows.length, story.steps, `${what}: rows`);
  // That a question was skipped is the reader's own.
  const last = story.last.filter((said) => !/was skipped|跳过/.test(said));
  for (const said of [...last, ...story.program, ...story.claims]) {
    assert.ok(all.includes(plain(said)), `${what}: “${said}” is not on paper`);
  }
  assert.ok(pages.length > 1 && pages.length < 6, `${what}: ${pages.length} pages`);
  assert.ok(pages.at(-1).length > 4, `${what}: the last page has ${words(pages.at(-1))}`);
  return { pages, all };
}

for (const [lesson, lang] of [["redlock", "en"], ["lost-update", "en"], ["semaphore", "zh"]]) {
  test(`${lesson} prints whole, wherever the reader stands, ${lang}`, async (t) => {
    const page = await open(t, `#lesson=${lesson}&mode=watch&lang=${lang}`, { theme: "dark" });
    await at(page, 0);
    const before = await printed(page);
    const story = await told(page);
    assert.ok(story.last.length > 0 && story.program.length > 2 && story.claims.length > 1, JSON.stringify(story));
    const { pages } = await whole(page, story, lang, "at the end");
    assert.deepEqual(pages, before, "at step 0");
    await page.keyboard.press("ArrowLeft");
    await at(page, story.steps - 1);
    assert.deepEqual(await printed(page), before, "in the middle");
    for (const mode of ["situation", "schedule", "break", "find"]) {
      await page.locator(`.modes [data-mode="${mode}"]`).click();
      await page.locator(`.modes [data-mode="${mode}"].on`).waitFor();
      assert.ok(plain(words((await printed(page)).flat())).includes(plain(HEADS[lang][0])), mode);
    }
    assert.equal(await page.locator(".paper").count(), 0, "it was there for the printer alone");
  });
}

test("an embed prints its story and the address of the lesson", async (t) => {
  const page = await open(t, "?embed&controls=step#lesson=lost-update&mode=watch&step=1", { size: 800 });
  await at(page, 1);
  const pages = await printed(page);
  const all = words(pages.flat());
  assert.match(all, /http:\S+\/#lesson=lost-update/);
  assert.match(all, /Every step in words/);
  assert.ok(!all.includes("?embed"), "the address is that of the page");
});

test("a course page prints the whole story of a lesson in it", async (t) => {
  const page = await open(t, "", { size: 1280 });
  const body = '<!doctype html><title>A course</title><redis-lesson lesson="redlock" mode="watch"></redis-lesson>' +
    '<p>After the lesson.</p><script src="embed/embed.js"></script>';
  await page.route("**/course.html", (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto(new URL("course.html", page.url()).href);
  const frame = page.locator("iframe");
  await page.waitForFunction(() => document.querySelector("iframe").paper > 0);
  const style = await frame.getAttribute("style");
  const all = words((await printed(page, { isFrame: true })).flat());
  for (const head of [...HEADS.en, "After the lesson"]) assert.ok(all.includes(head), `${head} is not in ${all.slice(-400)}`);
  assert.equal(await frame.getAttribute("style"), style, "on the screen it is as high as before");
  assert.equal(await frame.contentFrame().locator(".paper").count(), 0);
});

test("a run of the playground prints to its end", async (t) => {
  const page = await open(t, "#page=playground&mode=schedule");
  await page.locator("main.lesson").waitFor();
  for (const step of [1, 2]) {
    await page.keyboard.press("1");
    await at(page, step);
  }
  await page.keyboard.press("Home");
  await at(page, 0);
  const lines = (await printed(page)).flat().map((line) => words([line]));
  const from = lines.indexOf(HEADS.en[0]);
  assert.ok(from > 0 && lines.slice(from).some((line) => /^2 A /.test(line)), lines.join("\n"));
});

for (const mode of ["fix", "crowd", "review"]) {
  test(`${mode} prints as it stands, without controls`, async (t) => {
    const lesson = mode === "crowd" ? "watch" : "lost-update";
    const page = await open(t, `#lesson=${lesson}&mode=${mode}&crowd=seeds:3,clients:20`);
    await page.locator("main").waitFor();
    if (mode === "crowd") {
      await page.locator('[data-run="crowd"]').click();
      await page.locator('main.crowd[data-running="false"] .histogram').first().waitFor();
    }
    // A4 between its margins: paper is as narrow as a small window.
    await page.setViewportSize({ width: 688, height: 1000 });
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator("button, select, input").filter({ visible: true }).count(), 0);
    const pages = await printed(page);
    assert.ok(words(pages.flat()).length > 100, words(pages.flat()));
    assert.ok(pages.at(-1).length > 4, `the last page has ${words(pages.at(-1))}`);
  });
}
