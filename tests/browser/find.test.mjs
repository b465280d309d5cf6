// Find: the checker answers in the page what the lessons claim; in a worker and without one, in both
// languages, by keyboard and by touch; and it can be stopped. That it answers for every variant of
// every lesson what it answers natively is held without the page, in harness.test.mjs.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { copies, drawn, menu, open, opened, openUnchecked, part, ROOT, serve } from "./harness.mjs";

const lessons = readdirSync(join(ROOT, "dist/lessons"))
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(join(ROOT, "dist/lessons", name), "utf8")))
  .filter((lesson) => lesson.variants?.length > 0);

const start = (page) => page.locator(".find .search");
const question = (page, id) => page.locator(`[data-question="${id}"]`);
const done = (page) => page.locator('main.find[data-running="false"] [data-question="deadlock"]');
const number = async (page, place) =>
  Number((await page.locator(".numbers dd").nth(place).innerText()).replaceAll(",", ""));

/** Searches a variant and waits for the end. */
async function search(page) {
  await start(page).click();
  await done(page).waitFor();
}

/** A lost update; waiting that never ends, a run that repeats for ever; several instances. */
const SHOWN = ["lost-update", "fair-semaphore", "redlock"];

test("each verdict is shown as claimed, with its run, in both languages", async (t) => {
  const page = await open(t);
  for (const lesson of lessons.filter(({ id }) => SHOWN.includes(id))) {
    for (const variant of lesson.variants) {
      const address = `#lesson=${lesson.id}&variant=${variant.id}&mode=find&lang=en`;
      await page.evaluate((hash) => { location.hash = hash; }, address);
      await page.locator(".head h1", { hasText: lesson.title.en }).waitFor();
      await page.locator(`.find [data-question]`).first().waitFor();
      await page.waitForFunction(
        ([lesson, variant]) => location.hash.includes(lesson) && location.hash.includes(variant),
        [`lesson=${lesson.id}&`, `variant=${variant.id}&`],
      );
      await search(page);
      // What was found is said anew where the language changes: one search is enough.
      for (const [language, words] of [["en", /holds in all|breaks|happen/], ["zh", /成立|卡死|做到|发生|重复|停/]]) {
        const name = `${lesson.id}/${variant.id}, ${language}`;
        if (language === "zh") await page.locator("button.lang").click();
        await page.locator(".head h1", { hasText: lesson.title[language] }).waitFor();
        for (const claim of variant.claims) {
          const { id, kind } = lesson.properties[claim.property];
          const classes = await question(page, id).getAttribute("class");
          assert.ok(classes.includes(claim.holds ? "ok" : "bad"), `${name} ${id}: ${classes}`);
          const verdict = await question(page, id).locator(".verdict").innerText();
          assert.match(verdict, words, `${name} ${id}`);
          const shown = (kind === "sometimes") === claim.holds;
          const cells = await question(page, id).locator(".strip .cell:not(.empty)").count();
          if (!shown) assert.equal(cells, 0, `${name} ${id}`);
          // A run that repeats for ever is shown with what repeats.
          else if (kind === "eventually") assert.ok(cells >= claim.steps, `${name} ${id}: ${cells} steps`);
          else if (claim.steps != null) assert.equal(cells, claim.steps, `${name} ${id}`);
          if (variant.states != null) assert.equal(await number(page, 0), variant.states, `${name}: states`);
        }
      }
    }
  }
});

test("the run that was found can be played, and its link restores it", async (t) => {
  const page = await open(t, "#lesson=oversell&variant=naive&mode=find");
  await search(page);
  const why = await question(page, "sold").locator(".why").innerText();
  assert.match(why, /\w changed stock to 0 \(step \d\), but \w computed its write \(step \d\) from 1 \(step \d\)/);
  await page.locator('[data-play="sold"]').click();
  await page.locator('main.lesson[data-step-now="4"]').waitFor();
  assert.equal(await page.locator(".strip .cell:not(.empty)").count(), 4);
  assert.match(await page.locator('[data-chip="sold"]:not(.ghost *)').getAttribute("class"), /bad/);
  // Back in Find the answer is still there; an outcome's witness opens too.
  await page.locator('[data-mode="find"]').click();
  await done(page).waitFor();
  const bars = page.locator(".bars button");
  assert.equal(await bars.count(), 7);
  assert.match(await page.locator(".outcomes").innerText(), /66 orders, 12 of them/);
  await bars.last().click();
  await page.locator("main.lesson.stage").waitFor();
  await page.keyboard.press("End");
  assert.match(await page.locator('[data-chip="sold"]:not(.ghost *)').getAttribute("class"), /ok/);
});

test("a copied link opens the run at its start", async (t) => {
  const page = await open(t, "#lesson=lost-update&variant=naive&mode=find", {
    permissions: ["clipboard-read", "clipboard-write"],
    before: copies,
  });
  await search(page);
  await question(page, "total").getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied").waitFor();
  const link = await page.evaluate(() => window.copied);
  assert.match(link, /mode=schedule&schedule=[AB\d.]+&step=0/);
  await page.goto(link);
  await page.reload();
  await page.locator('main.lesson[data-step-now="0"]').waitFor();
  assert.equal(await page.locator(".strip .cell:not(.empty)").count(), 4);
});

test("by keyboard alone", async (t) => {
  const page = await open(t, "#lesson=lost-update&variant=naive&mode=schedule");
  await page.locator("main.lesson").waitFor();
  await page.keyboard.press("s");
  await done(page).waitFor();
  assert.match(page.url(), /mode=find/);
  assert.match(await page.locator('.find [role="status"]').innerText(), /breaks.*4 steps/);
  await page.locator('[data-play="total"]').focus();
  await page.keyboard.press("Enter");
  await page.locator('main.lesson[data-step-now="2"]').waitFor();
});

test("a place of the map shows a shortest way there, and plays it", async (t) => {
  for (const lang of ["en", "zh"]) {
    const page = await open(t, `#lesson=lost-update&mode=find&lang=${lang}`, { size: 1280 });
    const pad = page.locator(".map .pad");
    await pad.waitFor();
    await pad.focus();
    for (const key of ["ArrowRight", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
    const words = lang === "en" ? "Next A GET balance, B GET balance: " : "下一条：A GET balance，B GET balance：";
    const said = page.locator(".way-there .said");
    await page.waitForFunction(() => document.querySelectorAll(".map .pre").length === 1);
    assert.doesNotMatch(await said.textContent(), new RegExp(words), "it is another place");
    // By pointer: where both have ended.
    const hits = page.locator(".map .hit");
    await hits.last().hover();
    await said.filter({ hasText: lang === "en" ? "finished" : "已结束" }).waitFor();
    await page.locator(".way-there button:enabled").click();
    await page.locator('main.lesson[data-step-now="0"], main.lesson[data-step-now="4"]').waitFor();
    assert.equal(await page.locator(".strip .cell").count(), 4);
    await page.context().close();
  }
});

test("by touch on a phone", async (t) => {
  const page = await open(t, "#lesson=oversell&variant=naive", { size: 390 });
  await part(page, "find", "tap");
  // It searches by itself. After a tap on the button it might be the old search that is done.
  await done(page).waitFor();
  const small = await page.locator("button:visible, select:visible").evaluateAll((all) =>
    all
      .map((e) => ({ text: e.innerText || e.ariaLabel, height: e.getBoundingClientRect().height }))
      .filter((box) => box.height < 43.5)
      .map((box) => `${box.text}: ${box.height}`)
  );
  assert.deepEqual(small, [], "targets are at least 44 px high");
  const { content, window } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }));
  assert.ok(content <= window, `${content} px in a window of ${window} px`);
  const { width } = await page.locator(".find .asked").boundingBox();
  assert.ok(width > window - 1, `questions of ${width} px in a window of ${window} px`);
  await page.locator('[data-play="sold"]').tap();
  await page.locator('main.lesson[data-step-now="2"]').waitFor();
});

/** A search that is long, and one that is short, after which counting the schedules is long. */
const LONG = {
  searching: "for i = 1, 40 do redis.call('INCR', 'c' .. i % 7) redis.call('GET', 'stock') end",
  counting: "for i = 1, 10 do redis.call('INCR', 'c' .. i % 3) end",
};

/** A lesson with five clients that run `source`. */
async function enlarge(page, source) {
  await page.route("**/lessons/oversell.json", async (route) => {
    const lesson = lessons.find((one) => one.id === "oversell");
    const big = structuredClone(lesson);
    const naive = big.variants.find((variant) => variant.id === "naive");
    naive.world.setup = "SET stock 1000";
    const [client] = naive.world.clients;
    const program = big.programs[client.program ?? 0];
    program.source = source;
    naive.world.clients = Array(5).fill(client);
    await route.fulfill({ json: big });
  });
}

for (const [workers, what] of [[true, "searching"], [false, "searching"], [false, "counting"]]) {
  test(`it stops at once ${workers ? "in a worker" : "on the page"}, ${what}`, async (t) => {
    const page = await open(t);
    await enlarge(page, LONG[what]);
    if (!workers) await page.evaluate(() => { delete window.Worker; });
    await page.evaluate(() => { location.hash = "#lesson=oversell&variant=naive&mode=find"; });
    await start(page).click();
    await page.waitForFunction((least) => {
      const states = document.querySelector(".numbers dd")?.innerText.replaceAll(",", "");
      return Number(states) >= least;
    }, what === "searching" ? 1_000 : 11 ** 5);
    // While it searches, or counts, the page draws.
    const longest = await page.evaluate((most) => new Promise((resolve) => {
      let longest = 0;
      let before = performance.now();
      let frames = 0;
      const frame = (now) => {
        longest = Math.max(longest, now - before);
        before = now;
        if (++frames < most) requestAnimationFrame(frame);
        else resolve(longest);
      };
      requestAnimationFrame(frame);
    }), what === "searching" ? 40 : 4);
    t.diagnostic(`the longest frame while ${what} took ${longest.toFixed(0)} ms`);
    const took = await page.evaluate(() => new Promise((resolve) => {
      const begin = performance.now();
      const seen = () => {
        if (document.querySelector('main.find[data-running="false"]')) {
          resolve(performance.now() - begin);
        } else requestAnimationFrame(seen);
      };
      document.querySelector(".find .search").click();
      seen();
    }));
    t.diagnostic(`stopped after ${took.toFixed(0)} ms`);
    assert.ok(took < 1_000, `stopping took ${took} ms`);
    assert.match(await page.locator('.find [role="status"]').innerText(), /Stopped after/);
    const states = await number(page, 0);
    // A checker that went on would have its turn, and its news would be drawn.
    for (const worker of page.workers()) for (let turn = 0; turn < 20; turn++) await worker.evaluate(() => 0);
    await drawn(page, 20);
    assert.equal(await number(page, 0), states, "nothing goes on");
    // The checker is there for the next question.
    await page.locator("select.variants").selectOption({ index: 2 });
    await search(page);
    assert.match(await question(page, "sold").getAttribute("class"), /ok/);
  });
}

test("without workers it answers all the same", async (t) => {
  const page = await open(t);
  await page.evaluate(() => { delete window.Worker; });
  await page.evaluate(() => { location.hash = "#lesson=oversell&variant=naive&mode=find"; });
  await search(page);
  const { variants } = lessons.find(({ id }) => id === "oversell");
  assert.equal(await number(page, 0), variants.find(({ id }) => id === "naive").states);
  assert.match(await question(page, "sold").innerText(), /breaks: here is a shortest run, 4 steps/);
});

test("in a frame of an opaque origin it answers all the same", async (t) => {
  const page = await openUnchecked();
  t.after(() => page.context().close());
  // As static hosts do that allow embedding; the proxy does not.
  await page.route("**/*", async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), "access-control-allow-origin": "*" };
    await route.fulfill({ response, headers });
  });
  const inner = `${await serve()}#lesson=lost-update&variant=naive&mode=find`;
  // The page itself lets no text become a document.
  await page.goto("about:blank");
  await page.setContent(
    `<iframe sandbox="allow-scripts" width="1000" height="700" src="${inner}"></iframe>`,
  );
  const frame = page.frameLocator("iframe");
  const button = frame.locator(".find .search");
  await button.click();
  await frame.locator('[data-question="deadlock"]').waitFor();
  assert.match(await frame.locator('[data-question="total"]').innerText(), /breaks/);
});

test("it works under a sub-path", async (t) => {
  const base = "/courses/redis/";
  const page = await open(t, "#lesson=lost-update&variant=naive&mode=find", { base });
  await search(page);
  assert.equal(page.workers().length, 1, "in a worker");
});

test("a hint says how far it is to a violation", async (t) => {
  const page = await open(t, "#lesson=lost-update&variant=naive&mode=schedule");
  const hint = page.locator("p.hint");
  await menu(page, "hint");
  await hint.filter({ hasText: "4 steps from breaking it" }).waitFor();
  await page.keyboard.press("1");
  await page.keyboard.press("1");
  await hint.filter({ hasText: "can no longer break from here" }).waitFor();
  await page.keyboard.press("ArrowLeft");
  await hint.filter({ hasText: "3 steps from breaking it" }).waitFor();
  await hint.getByRole("button").click();
  await hint.waitFor({ state: "detached" });
  await (await opened(page)).locator('[data-move="hint"]').waitFor();
});
