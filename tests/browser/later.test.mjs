// The page's program in three parts: a first visit needs the first alone, a lesson the first two, the
// others come after the first paint, and whatever needs them sooner gets them all the same.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import test from "node:test";
import { browser, open, ROOT, serve, whole } from "./harness.mjs";
import { EMBED_VISITS, LESSON_VISITS, VISITS } from "./visits.mjs";

const TARGET = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target");
/** What the build calls the functions of the first part. */
const NAMES = readFileSync(join(TARGET, "divide/app/first.txt"), "utf8").split("\n");
const PARTS = readdirSync(join(ROOT, "dist")).filter((name) => /^app-(lessons|later)-\w{16}\.wasm$/.test(name));
const ASKED = "what runs is asked, not how it looks";
/** The later parts, as `page.route` names them. */
const LATER = "**/app-{lessons,later}-*.wasm";
const REST = "**/app-later-*.wasm";
const WORKS = "#lesson=lost-update&variant=naive&mode=find";

/** Each time the page had to wait for the later part: the functions, the innermost first. */
async function waited(page) {
  // In a course page, in the lesson's frame.
  const stacks = await page.frames().at(-1).evaluate(() =>
    performance.getEntriesByName("later-waited").map((entry) => entry.detail ?? ""));
  return stacks.map((stack) => {
    const places = [...stack.matchAll(/wasm-function\[(\d+)\]/g)];
    return places.map(([, index]) => NAMES[index] ?? index).join(" < ");
  });
}
/** When the later parts were asked for, and how: empty if they were not. */
const asked = (page) =>
  page.evaluate(() =>
    performance.getEntriesByType("resource")
      .filter((entry) => /app-(lessons|later)-/.test(entry.name))
      .map((entry) => [entry.initiatorType, entry.startTime]));

/** Lets these parts come ahead of need only when `release` is called. */
function held(parts = LATER) {
  let release;
  const free = new Promise((resolve) => (release = resolve));
  const before = (page) =>
    page.route(parts, async (route) => {
      if (route.request().resourceType() === "fetch") await free;
      await route.continue().catch(() => {});
    });
  return { before, release };
}

/** Goes through a visit while these parts are held: it ends with the first function of theirs that it needs. */
async function goThrough(t, visit, parts) {
  const { before, release } = held(parts);
  const page = await new Promise((found, failed) => {
    const watched = (page) => {
      page.on("pageerror", async ({ message }) => {
        if (/needed before it was there/.test(message)) failed(new Error(`it needs ${await waited(page)}: run record.mjs and build again`));
      });
      return before(page);
    };
    visit((address, options) => open(t, address, { ...options, before: watched, unpainted: ASKED })).then(found, failed);
  });
  assert.deepEqual(await waited(page), [], "run record.mjs and build again");
  release();
}

test("the page is divided", () => assert.equal(PARTS.length, 2, "make build has left it whole"));

for (const [name, visit] of VISITS) {
  test(`the first part is enough for ${name}`, (t) => goThrough(t, visit, LATER));
}

for (const [name, visit] of [...EMBED_VISITS, ...LESSON_VISITS.filter(([name]) => /^(redlock|sign-up|fair-semaphore|mix-lock)\b/.test(name))]) {
  test(`the first two parts are enough for ${name}`, (t) => goThrough(t, visit, REST));
}

test("the later parts come by themselves, after the first paint", async (t) => {
  const page = await open(t);
  await whole(page);
  const painted = await page.evaluate(() =>
    performance.getEntriesByName("first-contentful-paint")[0].startTime);
  const parts = await asked(page);
  assert.deepEqual(parts.map(([kind]) => kind), ["fetch", "fetch"]);
  for (const [, start] of parts) assert.ok(painted < start, `painted at ${painted}, asked for at ${start}`);
});

test("a course page is answered before all is there, and its commands when it is", async (t) => {
  const { before, release } = held(REST);
  const [, visit] = EMBED_VISITS[0];
  const page = await visit((address, options) => open(t, address, { ...options, before, unpainted: ASKED }));
  const [, frame] = page.frames();
  const first = page.evaluate(() => document.querySelector("redis-lesson").send("goto", { step: 0 }));
  await frame.evaluate(() => new Promise(requestAnimationFrame));
  assert.equal(await frame.locator(".later-coming").count(), 0, "the reader has pressed nothing");
  release();
  assert.equal((await first).ok, true);
  await frame.locator('main.lesson[data-step-now="0"]').waitFor();
});

test("a press that needs more is answered at once, and done when all is there", async (t) => {
  const { before, release } = held();
  const page = await open(t, "#lesson=lost-update", { before });
  await page.locator('main.lesson[data-step-now="0"]').waitFor();
  const began = await page.evaluate(() => performance.now());
  await page.locator('[data-mode="review"]').click();
  await page.locator('.later-coming[role="status"]').waitFor();
  assert.ok((await page.evaluate(() => performance.now())) - began < 5_000);
  // The page is alive, and what the first part has is done at once.
  await page.keyboard.press("ArrowRight");
  await page.locator('main.lesson[data-step-now="1"]').waitFor();
  await page.keyboard.press("?");
  assert.equal(await page.locator("dialog.help[open]").count(), 0);
  assert.deepEqual(await waited(page), []);
  release();
  await page.locator("main.review").waitFor();
  await page.locator("dialog.help[open]").waitFor();
  assert.equal(await page.locator(".later-coming").count(), 0);
  assert.deepEqual((await asked(page)).map(([kind]) => kind), ["fetch", "fetch"], "nothing is asked for in step with the program");
});

test("a function that is missing all the same makes the page begin again, with all parts", async (t) => {
  const { before, release } = held();
  const page = await open(t, "#lesson=lost-update", { before });
  await page.locator('main.lesson[data-step-now="0"]').waitFor();
  page.expect(/needed before it was there/);
  // A press that is none of a person's is not held back.
  await page.evaluate(() => document.querySelector('[data-mode="review"]').click());
  await page.waitForFunction(() => history.state?.later === 1);
  await page.locator('.later-coming[role="status"]').waitFor();
  assert.equal(await page.locator("main.broken").count(), 0, "it has not stopped");
  const again = page.waitForEvent("load");
  release();
  await again;
  await page.locator("main.review, main.lesson").first().waitFor();
  assert.deepEqual(await waited(page), []);
});

test("a link that leads past a lesson's first steps loads all parts at once", async (t) => {
  for (const address of [WORKS, "#page=glossary", "#lesson=redlock&mode=find", "?embed"]) {
    const page = await open(t, address);
    assert.deepEqual(await waited(page), [], address);
    assert.equal((await asked(page)).length, 2, address);
    await page.context().close();
  }
});

test("it works under the page's own policy, and below a path", async (t) => {
  const base = "/courses/";
  const { headers } = await fetch(await serve(base));
  assert.match(headers.get("content-security-policy"), /default-src 'none'; script-src 'self' 'wasm-unsafe-eval'/);
  const page = await open(t, "#lesson=lost-update", { base });
  await page.locator('main.lesson[data-step-now="0"]').waitFor();
  await page.locator('[data-mode="review"]').click();
  await page.locator("main.review").waitFor();
});

test("a part that cannot be had is said, and asked for again", async (t) => {
  for (const [address, press, shows] of [["#lesson=lost-update", '[data-mode="review"]', "main.review"], ["#lesson=redlock", null, "main.lesson"]]) {
    const context = await (await browser()).newContext({ serviceWorkers: "block" });
    t.after(() => context.close());
    const page = await context.newPage();
    await page.clock.install();
    await page.route(LATER, (route) => route.abort());
    await page.goto((await serve()) + address);
    if (press) await page.locator(`body > .page ${press}`).click();
    await page.locator('.later-failed[role="alert"]').waitFor();
    await page.unroute(LATER);
    // It is tried again after ten seconds.
    await page.clock.fastForward(10_000);
    await page.locator(`body > .page ${shows}`).waitFor();
    assert.equal(await page.locator(".later-failed").count(), 0);
  }
});

test("a Situation that a link opens asks for the rest when it is drawn", async (t) => {
  const context = await (await browser()).newContext({ serviceWorkers: "block" });
  t.after(() => context.close());
  const page = await context.newPage();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto((await serve()) + "#lesson=redlock&mode=situation");
  // It begins when the first words have been painted.
  await page.clock.runFor(500);
  await page.locator("main.situation").waitFor();
  // No more time passes for the page: after five seconds it would ask anyway.
  await page.clock.runFor(2_500);
  assert.equal(asked.filter((url) => /app-later-/.test(url)).length, 1);
});
