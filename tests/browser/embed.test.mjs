// A lesson in a course page of another origin: it fits, reports to whom it should and to nobody else,
// and does only what its address allows.

import assert from "node:assert/strict";
import test from "node:test";
import { addressSays, menu, onward, open, opened, serve } from "./harness.mjs";
import { counted, course, frameHtml, heard, inside, LISTENER, said, site } from "./host.mjs";

const door = async (query, state) => `${await serve()}embed/index.html?${query}#${state}`;
const BROKEN = "lesson=lost-update&variant=naive&mode=schedule&schedule=A1.B1.A2.B2";

/** Waits until the lesson stands at `step`. */
const at = (frame, step) => frame.locator(`main.lesson[data-step-now="${step}"]`).waitFor();
const height = (page) => page.locator("iframe").first().evaluate((frame) => frame.clientHeight);

// ---- It fits -------------------------------------------------------------------------------------

test("before it is greeted the lesson stays in its frame, and says no height", async (t) => {
  const page = await course(t, frameHtml(await door("", "lesson=lost-update")));
  const frame = inside(page);
  await frame.locator("main.lesson").waitFor();
  await heard(page, "ready");
  const { scroll, inner } = await frame.locator("html").evaluate((root) => ({
    scroll: root.scrollWidth - root.clientWidth,
    inner: root.dataset.embed,
  }));
  assert.deepEqual({ scroll, inner }, { scroll: 0, inner: "fixed" });
  assert.equal(await height(page), 500);
  // What it would say has had every occasion to come.
  await onward(frame);
  await at(frame, 1);
  assert.deepEqual(await said(page, "resize"), []);
  assert.deepEqual(await said(page, "step"), [], "nobody hears of the learner before a greeting");
});

for (const width of [390, 760, 1200]) {
  test(`greeted, it says its height, and keeps it while stepping, ${width} px wide`, async (t) => {
    const body = `<div style="width:${width}px">${frameHtml(await door("lang=en", "lesson=lost-update"))}</div>
      <script>addEventListener("message", ({ data }) => {
        if (data.type === "resize") document.querySelector("iframe").style.height = data.height + "px";
      })</script>`;
    const page = await course(t, body);
    const frame = inside(page);
    await heard(page, "ready");
    const answer = await page.evaluate(() => say("hello"));
    assert.equal(answer.ok, true);
    assert.equal(answer.state.lesson, "lost-update");
    const { height: told } = await heard(page, "resize");
    assert.ok(told > 300 && told < 3000, `${told} px`);
    // All of it is seen: nothing is left to scroll.
    await page.waitForFunction(() => {
      const last = window.heard.findLast((message) => message.type === "resize").height;
      return document.querySelector("iframe").clientHeight === last;
    });
    const steps = async () => {
      for (let step = 1; step <= 4; step++) {
        await onward(frame);
        await at(frame, step);
      }
      await page.evaluate(() => say("goto", { step: 0 }));
      await at(frame, 0);
    };
    await steps();
    // Once it has been as high as it gets, it does not move any more.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const before = (await said(page, "resize")).length;
    await steps();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const all = await said(page, "resize");
    assert.equal(all.length, before, JSON.stringify(all.map(({ height }) => height)));
    assert.ok(all.length < 12, "no endless growing");
    const left = await frame.locator("html").evaluate((root) => root.scrollHeight - root.clientHeight);
    assert.ok(left <= 1, `${left} px are left to scroll`);
  });
}

test("a fixed height and a largest height are kept", async (t) => {
  const fixed = await course(t, frameHtml(await door("height=400", "lesson=lost-update")));
  await heard(fixed, "ready");
  await fixed.evaluate(() => say("hello"));
  await onward(inside(fixed));
  await heard(fixed, "step");
  assert.deepEqual(await said(fixed, "resize"), []);
  const most = await course(t, frameHtml(await door("max=420", "lesson=lost-update")));
  await heard(most, "ready");
  await most.evaluate(() => say("hello"));
  assert.equal((await heard(most, "resize")).height, 420);
});

test("in a collapsed section it starts when that is opened, and fits", async (t) => {
  const frame = frameHtml(await door("", "lesson=lost-update"));
  const page = await course(t, `<details><summary>more</summary>${frame}</details>`);
  assert.deepEqual(await page.evaluate(() => heard), []);
  await page.locator("summary").click();
  await heard(page, "ready");
  await page.evaluate(() => say("hello"));
  assert.ok((await heard(page, "resize")).height > 300);
  // Closed and opened again, it is still as high.
  await page.locator("summary").click();
  await page.locator("summary").click();
  await onward(inside(page));
  await at(inside(page), 1);
});

test("ten on a page: one download, and only what is seen starts", async (t) => {
  const { url, asked } = await counted(t);
  const one = `<redis-lesson lesson="lost-update" lang="en">Lost update</redis-lesson><p style="height:900px">…</p>`;
  const page = await course(t, `<script src="${url}embed/embed.js" async></script>${one.repeat(10)}`);
  const first = inside(page);
  await first.locator("main.lesson").waitFor();
  const started = () => page.frames().filter((frame) => frame.url().includes("?embed")).length;
  assert.equal(started(), 1, "only the first is in sight");
  assert.equal(await page.locator("iframe").count(), 10);
  for (const nth of [4, 9]) {
    await page.locator("redis-lesson").nth(nth).scrollIntoViewIfNeeded();
    await inside(page, nth).locator("main.lesson").waitFor();
  }
  assert.ok(started() < 10, `${started()} have started`);
  const programs = asked.filter((path) => path.endsWith(".wasm"));
  // Each of its parts once, and those after the first only where they are needed.
  assert.equal(programs.length, new Set(programs).size, programs.join(" "));
  assert.ok(programs.length <= 3, programs.join(" "));
});

// ---- It needs little -----------------------------------------------------------------------------

for (const how of ["the door", "the page itself"]) {
  test(`in a sandbox without an origin, by ${how}, all of it works`, async (t) => {
    const address = how === "the door"
      ? await door("", "lesson=lost-update&mode=schedule")
      : `${await serve()}?embed#lesson=lost-update&mode=schedule`;
    const page = await course(t, frameHtml(address, 'sandbox="allow-scripts"'));
    const frame = inside(page);
    for (const [step, client] of ["A", "B", "A", "B"].entries()) {
      await frame.locator(`button.step[data-client="${client}"]:visible`).first().click();
      await at(frame, step + 1);
    }
    assert.equal((await heard(page, "ready")).origin, "null");
    await page.evaluate(() => say("hello"));
    await frame.getByRole("button", { name: "Find", exact: true }).click();
    await frame.getByRole("button", { name: "Find a bad order" }).click();
    await frame.locator('[data-question="total"] [data-play]').waitFor();
    const { state } = await page.evaluate(() => say("getState"));
    assert.equal(state.mode, "find");
  });
}

test("embed.js serves a frame without an origin, too", async (t) => {
  const home = await serve();
  const body = `<script src="${home}embed/embed.js"></script>
    <redis-lesson lesson="lost-update" sandbox="allow-scripts">x</redis-lesson>`;
  const page = await course(t, body);
  await inside(page).locator("main.lesson").waitFor();
  await page.waitForFunction(() => document.querySelector("iframe").style.height !== "640px");
  const state = await page.evaluate(() => document.querySelector("redis-lesson").getState());
  assert.equal(state.lesson, "lost-update");
});

// ---- It is told ----------------------------------------------------------------------------------

test("language, theme, step and lesson are set from outside; each message is answered", async (t) => {
  const page = await course(t, frameHtml(await door("lang=en&theme=light", BROKEN)));
  const frame = inside(page);
  await at(frame, 4);
  const ask = (type, fields) => page.evaluate(([type, fields]) => say(type, fields), [type, fields]);
  assert.equal((await ask("setLang", { lang: "zh" })).ok, true);
  await frame.locator('html[lang="zh-Hans"]').waitFor();
  assert.equal((await ask("setTheme", { theme: "dark" })).ok, true);
  await frame.locator('html[data-theme="dark"]').waitFor();
  await ask("goto", { step: 2 });
  await at(frame, 2);
  await ask("reset");
  await at(frame, 0);
  await ask("load", { link: "lesson=oversell&mode=schedule&schedule=A1.B1", step: 1 });
  await frame.locator(".head h1", { hasText: "超卖" }).waitFor();
  await at(frame, 1);
  const { state } = await ask("getState");
  assert.deepEqual([state.lesson, state.step, state.steps, state.lang, state.theme], ["oversell", 1, 2, "zh", "dark"]);
  await ask("goto", { step: 0 });
  await ask("play");
  await at(frame, 2);
  for (const [type, fields, says] of [
    ["goto", { step: 99 }, /0 … 2/],
    ["goto", { step: "x" }, /step/],
    ["setLang", { lang: "tlh" }, /en, zh/],
    ["setTheme", { theme: "pink" }, /auto, light, dark/],
    ["run", {}, /accepted are hello/],
    ["goto", { v: 2, step: 0 }, /version/],
  ]) {
    const answer = await ask(type, fields);
    assert.equal(answer.ok, false, type);
    assert.match(answer.error, says);
  }
});

// ---- It reports ----------------------------------------------------------------------------------

test("steps, violations and the score reach the page that greeted", async (t) => {
  const page = await course(t, frameHtml(await door("tabs=break,review", "lesson=lost-update&mode=break")));
  const frame = inside(page);
  await heard(page, "ready");
  const { state } = await page.evaluate(() => say("hello"));
  assert.deepEqual([state.goals, state.score, state.complete], [["break", "review"], 0, false]);
  for (const client of ["A", "B", "A", "B"]) {
    await frame.locator(`button.step[data-client="${client}"]:visible`).first().click();
  }
  const violation = await heard(page, "violation");
  assert.deepEqual([violation.property, violation.step, violation.schedule], ["total", 4, "A1.B1.A2.B2"]);
  const goal = await heard(page, "goal");
  assert.deepEqual([goal.reached, goal.score, goal.max, goal.complete], [["break"], 50, 100, false]);
  assert.equal((await said(page, "step")).at(-1).step, 4);
});

test("with a declared origin nobody else hears of the learner, or is listened to", async (t) => {
  const other = `origin=${encodeURIComponent("https://course.example")}`;
  const page = await course(t, frameHtml(await door(other, BROKEN)));
  const frame = inside(page);
  await at(frame, 4);
  await page.evaluate(() => { say("hello"); say("goto", { step: 1 }); say("getState"); });
  await frame.locator('[data-move="back"]').click();
  await at(frame, 3);
  assert.deepEqual(await page.evaluate(() => heard), []);
  // The browser notes each message that it did not deliver.
  page.expect(/postMessage/);
});

test("its own origin declared, a page hears without a greeting", async (t) => {
  const pages = {};
  const url = await site(t, pages);
  const address = await door(`origin=${encodeURIComponent(url)}`, BROKEN);
  pages["course.html"] = `<!doctype html><title>c</title><body>course${LISTENER}${frameHtml(address)}`;
  const page = await open(t, `${url}course.html`);
  await at(inside(page), 4);
  await inside(page).locator('[data-move="back"]').click();
  assert.equal((await heard(page, "step")).step, 3);
});

test("what is not from the page around, or is not a message, changes nothing", async (t) => {
  const address = await door("", BROKEN);
  const pages = {
    "stranger.html": `<!doctype html><title>s</title>stranger<script>
      const goto = { ns: "interleave", v: 1, type: "goto", step: 0, id: 1 };
      addEventListener("message", () => parent.document.querySelector("iframe").contentWindow.postMessage(goto, "*"));
    </script>`,
  };
  const page = await course(t, `${frameHtml(address)}<iframe src="stranger.html" name="stranger"></iframe>`, { pages });
  const frame = inside(page);
  await at(frame, 4);
  await page.evaluate(() => frames.stranger.postMessage("go", "*"));
  await page.evaluate(() => {
    const child = document.querySelector("iframe").contentWindow;
    const loop = {};
    loop.self = loop;
    const deep = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`);
    for (const message of [
      null, 0, "goto", [], () => {}, { type: "goto", step: 0 }, { ns: "interleave" },
      { ns: "other", v: 1, type: "goto", step: 0 },
      { ns: "interleave", v: 1, type: "goto", step: 0, pad: "x".repeat(1e6) },
      { ns: "interleave", v: 1, type: "goto", step: 0, loop },
      { ns: "interleave", v: 1, type: "goto", step: 0, deep },
      { ns: "interleave", v: 1, type: "goto", step: 0, big: 1n },
      { ns: "interleave", v: 1, type: "goto", step: 1e300 },
      { ns: "interleave", v: 1, type: "goto", step: { toString: "alert(1)" } },
      { ns: "interleave", v: 1, type: "setLang", lang: "<img src=x onerror=alert(1)>" },
      { ns: "interleave", v: 1, type: "load", lesson: "../../secret" },
      { ns: "interleave", v: 1, type: "__proto__", __proto__: { type: "reset" } },
    ]) {
      try { child.postMessage(message, "*"); } catch { /* what cannot be sent is no danger */ }
    }
  });
  // The lesson that does not exist was asked for and refused; the frame goes on.
  await frame.locator(".banner", { hasText: "secret" }).waitFor();
  await page.evaluate(() => say("load", { link: "lesson=lost-update&mode=schedule&schedule=A1.B1&step=2" }));
  await at(frame, 2);
});

// ---- It does what its address says ---------------------------------------------------------------

test("values that mean nothing are listed with those that do", async (t) => {
  const page = await open(t, "?embed&lang=xx&tabs=wach,find&panels=chart&keys=maybe&height=tall&origin=*#lesson=lost-update");
  const text = await page.locator(".banner").innerText();
  for (const line of [/lang=“xx”.*en, zh/, /tabs=“wach,find”.*watch, schedule, break/, /panels=“chart”.*code, diagram, redis/,
    /keys=“maybe”.*0, 1/, /height=“tall”.*auto, 120 … 10000/, /origin=“\*”.*https:/]) {
    assert.match(text, line);
  }
  await page.locator("main.find, main.lesson").first().waitFor();
  await page.getByRole("button", { name: "Dismiss" }).click();
  assert.equal(await page.locator(".banner").count(), 0);
});

test("some steps of a story, without a way out of them", async (t) => {
  const page = await open(t, "?embed&tabs=watch&from=1&to=3&repeat=1#lesson=lost-update&walk=lost", { size: 800 });
  await at(page, 1);
  assert.equal(await page.locator(".modes").count(), 0, "one tab is none");
  assert.equal(await page.locator(".goal select").count(), 0);
  assert.equal(await page.locator('[data-move="back"]').isVisible(), true);
  for (const key of ["Home", "ArrowLeft", "s", "r", "w", "2"]) await page.keyboard.press(key);
  await page.locator("main.lesson").waitFor();
  await page.keyboard.press("End");
  await at(page, 3);
  assert.equal(await page.locator(".diagram .row").count(), 3, "what comes after is not shown");
  assert.equal(await page.getByRole("button", { name: /schedule it yourself/i }).isVisible(), false);
  assert.equal(await page.locator(".mark").evaluateAll((all) => all.filter((e) => e.tagName === "A").length), 0);
  // Another mode in the address is refused, too.
  await page.evaluate(() => { location.hash = "#lesson=lost-update&mode=find"; });
  await page.locator("main.lesson").waitFor();
  assert.equal(await page.locator("main.find").count(), 0);
  await menu(page, "play");
  await at(page, 3);
  await at(page, 1);
});

test("keys=0: no key does anything, buttons still do", async (t) => {
  const page = await open(t, "?embed&keys=0#lesson=lost-update&mode=schedule");
  await at(page, 0);
  for (const key of ["1", "2", "Shift+Digit1", "x", "s", "w", "a", "r", "?", "Space", "End"]) await page.keyboard.press(key);
  await page.locator('button.step[data-client="A"]').first().click();
  await at(page, 1);
  assert.equal(await page.locator("main.find, dialog[open]").count(), 0);
  await addressSays(page, "schedule", "A1");
});

test("panels, controls and readonly leave out what they say", async (t) => {
  const seen = async (page, what) => page.locator(what).first().isVisible();
  const page = await open(t, `?embed&panels=diagram&controls=scrub#${BROKEN}`, { size: 800 });
  await at(page, 4);
  for (const [what, is] of [[".time", true], [".programs", false], [".redis", false], [".strip", true],
    ['[data-move="back"]', false], ['[data-move="more"]', false], [".menu .speed", false], [".dock .step", false]]) {
    assert.equal(await seen(page, what), is, what);
  }
  const diagram = await page.locator(".diagram").boundingBox();
  assert.ok(diagram.width > 600, "the diagram has the room of the others");
  const given = await open(t, `?embed&readonly=1&from=2#${BROKEN}`);
  await at(given, 4);
  assert.equal(await seen(given, "button.step"), false);
  assert.equal(await given.locator(".goal select").count(), 0);
  for (const key of ["1", "x", "Home", "r"]) await given.keyboard.press(key);
  await at(given, 2);
  assert.equal(await given.locator(".strip .cell:not(.empty)").count(), 4);
});

test("hints=0 offers none", async (t) => {
  const page = await open(t, "?embed&hints=0#lesson=lost-update&mode=schedule");
  await at(page, 0);
  await opened(page);
  assert.equal(await page.getByRole("button", { name: /How far/ }).count(), 0);
});

test("an exam has questions and exercises, and nothing that gives them away", async (t) => {
  const page = await open(t, "?embed&answers=0#lesson=lost-update&mode=review");
  await page.locator(".quiz").first().waitFor();
  const tabs = await page.locator(".modes button").evaluateAll((all) => all.map((tab) => tab.dataset.mode));
  assert.deepEqual(tabs, ["break", "fix", "review"]);
  const sections = await page.locator("[data-section]").evaluateAll((all) => all.map((one) => one.dataset.section));
  assert.deepEqual(sections, ["quizzes"], "no belief corrected, no notes, no reading");
  const quiz = page.locator(".quiz").first();
  await quiz.locator(".choice").first().click();
  if (await quiz.getByRole("button", { name: "Submit" }).isVisible()) {
    await quiz.getByRole("button", { name: "Submit" }).click();
  }
  await quiz.getByText("Your answer is recorded.").waitFor();
  assert.equal(await quiz.locator(".choice.ok, .choice.bad").count(), 0);
  assert.equal(await quiz.getByRole("button", { name: /again|See it happen|Look at this state/ }).filter({ visible: true }).count(), 0);
  await page.getByRole("button", { name: "Fix it", exact: true }).click();
  await page.locator("main.fix").waitFor();
  assert.equal(await page.locator('[data-fix="answer"]').isVisible(), false);
  // Pressed all the same, it gives nothing away.
  await page.locator('[data-fix="answer"]').evaluate((button) => button.click());
  await page.locator('[data-fix="check"]').click();
  await page.locator('main.fix[data-grade="failed"]').waitFor();
  assert.equal(await page.locator(".answer").count(), 0);
  for (const mode of ["find", "schedule", "watch"]) {
    await page.evaluate((mode) => { location.hash = `#lesson=lost-update&mode=${mode}`; }, mode);
    await page.locator('.modes button.on[data-mode="break"]').waitFor();
    await page.evaluate(() => { location.hash = "#lesson=lost-update&mode=fix"; });
    await page.locator("main.fix").waitFor();
  }
});

// ---- Other hosts ---------------------------------------------------------------------------------

test("LTI platforms and H5P's resizer are told in their own way", async (t) => {
  const lti = await course(t, frameHtml(await door("compat=lti", "lesson=lost-update")));
  await lti.waitForFunction(() => heard.some((m) => m.subject === "lti.frameResize" && m.height > 300));
  const resizer = `<script>addEventListener("message", ({ data, source, origin }) => {
    if (data.context !== "h5p") return;
    if (data.action === "hello") source.postMessage({ context: "h5p", action: "hello" }, origin);
    if (data.action === "resize") document.querySelector("iframe").style.height = data.scrollHeight + "px";
  })</script>`;
  const h5p = await course(t, resizer + frameHtml(await door("compat=h5p", "lesson=lost-update")));
  await h5p.waitForFunction(() => document.querySelector("iframe").clientHeight > 560);
});

test("a question, a challenge, a map and the consoles stand alone", async (t) => {
  const question = await open(t, "?embed&tabs=watch&from=3&to=4#lesson=lost-update&mode=watch&walk=lost&step=3&lang=en", { size: 800 });
  await question.locator(".ask button", { hasText: "20" }).click();
  await question.locator(".ask button", { hasText: "Step B and see" }).click();
  await question.locator('main.lesson[data-step-now="4"]').waitFor();

  const challenge = await open(t, "?embed&tabs=break#lesson=lost-update&lang=en", { size: 800 });
  await challenge.locator('.dock [data-client="A"]').waitFor();
  assert.equal(await challenge.locator("nav [data-mode]").count(), 0, "one part has no tabs");

  const map = await open(t, "?embed&tabs=find&panels=map#lesson=lost-update&mode=find&lang=en", { size: 800 });
  await map.locator("main.find figure.map svg").first().waitFor();
  for (const gone of [".asked", ".numbers", ".outcomes > ul"]) {
    assert.equal(await map.locator(`main.find ${gone}`).first().isVisible(), false, gone);
  }
  await map.locator("figure.map [tabindex]").first().focus();
  await map.keyboard.press("ArrowRight");
  await map.waitForFunction(() => document.querySelector(".way-there .said").textContent.includes("A"));

  const consoles = await open(t, "?embed&tabs=schedule&panels=console#page=playground&lang=en", { size: 800 });
  for (const [at, line] of [["c1", "SET x 1"], ["c2", "INCR x"]]) {
    if (at === "c2") await consoles.locator('[data-console="add"]').click();
    const input = consoles.locator(`[data-pane="${at}"] input`);
    await input.fill(line);
    await input.press("Enter");
  }
  await consoles.locator('[data-pane="c2"] .log', { hasText: "(integer) 2" }).waitFor();
  const seen = await consoles.locator(".page > :visible").evaluateAll((all) => all.map((one) => one.className));
  assert.deepEqual(seen.filter((name) => !/^(skip|banners|news|toast)/.test(name)), ["console"]);
  assert.equal(await consoles.locator('[data-console="close"]').count(), 0);
});
