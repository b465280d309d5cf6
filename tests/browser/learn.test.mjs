// Break it, Fix it, Review, the languages of the programs, the guide, the glossary and the syllabus.
// That every exercise is graded and every question answered as its author says is held natively
// (src/app/shell/tests/walks.rs); here the page does so in a few lessons, in both languages.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { copies, open as start, ROOT, still } from "./harness.mjs";

const read = (name) => JSON.parse(readFileSync(join(ROOT, "dist/lessons", name), "utf8"));
const lessons = readdirSync(join(ROOT, "dist/lessons"))
  .filter((name) => name.endsWith(".json"))
  .map(read)
  // Beside the lessons stand the words, the examples and the reference of commands.
  .filter((one) => one.quizzes);
/** What is broken, what never ends, several instances; and a mixed exercise, whose choices are variants. */
const SHOWN = ["lost-update", "fair-semaphore", "redlock", "mix-atomic"].map((id) => lessons.find((one) => one.id === id));
const guide = lessons.find((lesson) => lesson.guide);

/** By client, the index of its program. */
const programs = (variant) => variant.world.clients.map(({ program }) => program ?? 0);
const graded = (page, grade) => page.locator(`main.fix[data-grade="${grade}"]`);
const area = (page) => page.locator(".editor textarea");

const open = (t, address, options) => start(t, address, { unpainted: "words, grades and places are asked of the page", ...options });

async function go(page, hash) {
  await page.evaluate((hash) => { location.hash = hash; }, hash);
}

test("an exercise: its start breaks, its answer passes", async (t) => {
  const page = await open(t);
  for (const lesson of SHOWN.filter((one) => one.exercise)) {
    await go(page, `#lesson=${lesson.id}&mode=fix&lang=en`);
    const task = page.locator("#fix-task", { hasText: lesson.exercise.words.label.en });
    await task.waitFor();
    assert.equal(await area(page).inputValue(), lesson.exercise.starter, lesson.id);
    await page.locator('[data-fix="check"]').click();
    await graded(page, "failed").waitFor();
    assert.ok(await page.locator(".fix .question.bad").count() > 0, `${lesson.id}: nothing is bad`);
    await area(page).fill(lesson.exercise.solution);
    await graded(page, "none").waitFor();
    await page.locator('[data-fix="check"]').click();
    await graded(page, "passed").waitFor();
    assert.equal(await page.locator(".fix .question.bad").count(), 0, lesson.id);
  }
});

test("a question: the right answer is right, another one is not", async (t) => {
  const page = await open(t);
  for (const language of ["en", "zh"]) {
    for (const lesson of SHOWN.filter((one) => one.quizzes.length > 0)) {
      await go(page, `#lesson=${lesson.id}&mode=review&lang=${language}`);
      for (const quiz of lesson.quizzes) {
        const name = `${lesson.id}/${quiz.id}`;
        const article = page.locator(`[data-quiz="${quiz.id}"]`, {
          hasText: quiz.words.label[language],
        });
        await article.waitFor();
        const choices = article.locator(".choice");
        assert.equal(await choices.count(), quiz.choices.length, name);
        assert.equal(await article.locator(".steps li").count(),
          quiz.schedule ? quiz.schedule.split(".").length : 0, name);
        const answer = async (numbers) => {
          for (const number of numbers) await choices.nth(number).click();
          if (quiz.several) await article.locator(".turn .give").click();
        };
        const wrong = quiz.several
          ? quiz.choices.map((_, at) => at).filter((at) => !quiz.right.includes(at))
          : [quiz.choices.findIndex((_, at) => !quiz.right.includes(at))];
        const both = quiz.right.length === 0 || wrong.length === 0;
        if (!(quiz.several && both && wrong.length === 0)) {
          await answer(wrong);
          await article.locator(".told .bad").waitFor();
          await article.getByText(language === "zh" ? "重新作答" : "Answer again").click();
        }
        await answer(quiz.right);
        await article.locator(".told .ok").waitFor();
        assert.ok((await article.locator(".told").innerText()).length > 20, `${name}: explained`);
      }
    }
  }
});

test("a question's state and its answer can be looked at", async (t) => {
  const lesson = lessons.find((one) => one.quizzes.some((quiz) => quiz.shows && quiz.schedule));
  const quiz = lesson.quizzes.find((one) => one.shows && one.schedule);
  const page = await open(t, `#lesson=${lesson.id}&mode=review`);
  const article = page.locator(`[data-quiz="${quiz.id}"]`);
  for (const number of quiz.right) await article.locator(".choice").nth(number).click();
  if (quiz.several) await article.getByRole("button", { name: "Submit" }).click();
  await article.getByText("See it happen").click();
  await page.locator('main.lesson[data-step-now="0"]').waitFor();
  assert.equal(await page.locator(".strip .cell:not(.empty)").count(), quiz.shows.split(".").length);
  await page.locator('[data-mode="review"]').click();
  await article.getByText("Look at this state").click();
  const steps = quiz.schedule.split(".").length;
  await page.locator(`main.lesson[data-step-now="${steps}"]`).waitFor();
});

test("the challenge is met by hand, counted, and remembered", async (t) => {
  const page = await open(t, "#lesson=lost-update&mode=break");
  const dared = page.locator(".dared:not(.ghost *, .ghost)");
  await dared.waitFor();
  for (const client of ["A", "A", "B", "B"]) {
    await page.locator(`.dock [data-client="${client}"]`).click();
  }
  await page.locator('main.lesson[data-step-now="4"]').waitFor();
  assert.equal(await dared.getAttribute("data-done"), "false", "one after the other is right");
  await page.keyboard.press("r");
  for (const key of ["1", "2", "1", "2"]) await page.keyboard.press(key);
  await page.locator('.dared[data-done="true"]').waitFor();
  assert.match(await dared.innerText(), /Broken at step 4\. That is the fewest/);
  await page.reload();
  await dared.waitFor();
  await page.keyboard.press("r");
  await page.locator('.dared[data-done="false"]').waitFor();
  assert.match(await dared.innerText(), /Your best: 4/);
  await go(page, "#lang=en");
  await page.locator(".chapter .done", { hasText: "broken in 4" }).waitFor();
});

test("the editor: mistakes at their line, drafts kept, undo, Tab and Escape", async (t) => {
  const page = await open(t, "#lesson=lost-update&mode=fix");
  await area(page).fill("local n = redis.call('GET', 'balance')\nif n then");
  await page.locator(".editor .line.wrong").waitFor();
  assert.match(await page.locator("#fix-mistake").innerText(), /line \d/);
  assert.ok(await page.locator('[data-fix="check"]').isDisabled());
  // Typed text can be undone, Tab indents, Enter keeps the indent.
  await area(page).fill("");
  await area(page).pressSequentially("if x then");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type("y = 1");
  await page.keyboard.press("Enter");
  await page.keyboard.type("z = 2");
  assert.equal(await area(page).inputValue(), "if x then\n  y = 1\n  z = 2");
  await page.keyboard.press("Control+z");
  assert.notEqual(await area(page).inputValue(), "if x then\n  y = 1\n  z = 2");
  await page.reload();
  assert.match(await area(page).inputValue(), /if x then/, "the draft is kept");
  await area(page).focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), "TEXTAREA");
  // Resetting asks first.
  const reset = page.locator('[data-fix="reset"]');
  await reset.click();
  assert.match(await area(page).inputValue(), /if x then/);
  await reset.click();
  const starter = lessons.find((lesson) => lesson.id === "lost-update").exercise.starter;
  assert.equal(await area(page).inputValue(), starter);
});

test("an answer is written, graded and stepped by keyboard alone", async (t) => {
  const page = await open(t, "#lesson=lost-update&mode=fix");
  await area(page).focus();
  await page.keyboard.press("Control+Enter");
  await graded(page, "failed").waitFor();
  const answer = page.locator('[data-fix="answer"]');
  await answer.focus();
  await page.keyboard.press("Enter");
  await page.locator(".diff .added").first().waitFor();
  await page.getByText("Put it into the editor").focus();
  await page.keyboard.press("Enter");
  await area(page).focus();
  await page.keyboard.press("Control+Enter");
  await graded(page, "passed").waitFor();
  await page.locator('[data-fix="step"]').focus();
  await page.keyboard.press("Enter");
  await page.locator('main.lesson[data-step-now="0"]').waitFor();
  assert.match(page.url(), /variant=yours/);
  await page.keyboard.press("1");
  await page.locator('main.lesson[data-step-now="1"]').waitFor();
  // The address follows a moment after the film has begun.
  await page.waitForURL(/schedule=A1/);
  await page.reload();
  await page.locator('main.lesson[data-step-now="1"]').waitFor();
});

test("hostile programs end with a word, not with a hanging tab", async (t) => {
  const page = await open(t, "#lesson=lost-update&mode=fix");
  const programs = [
    "while true do end",
    "while true do redis.call('INCR', 'balance') end",
    "error('no')",
    "local t = {} for i = 1, 1e9 do t[i] = i end",
    "balance = string.rep('x', 1e9)",
  ];
  for (const program of programs) {
    await area(page).fill(program);
    await page.locator('[data-fix="check"]').click();
    await page.locator(':is([data-grade="failed"], [data-grade="error"], [data-grade="unknown"])').waitFor({ timeout: 120_000 });
    // One that breaks a promise may search on; it can be stopped, unless it ends before.
    const stop = page.locator('[data-fix="stop"]');
    if (await stop.isVisible()) await stop.click({ timeout: 1000 }).catch(() => {});
    await page.locator('[data-fix="check"]').waitFor({ timeout: 120_000 });
  }
});

test("who stops a slow search and checks at once has the next one graded", async (t) => {
  const lesson = lessons.find((one) => one.id === "lost-update");
  const page = await open(t, "#lesson=lost-update&mode=fix");
  await page.locator('[data-fix="check"]').click();
  await page.locator('[data-grade="failed"]').waitFor();
  await page.locator('[data-fix="check"]').waitFor();
  await area(page).fill("local t = {} for i = 1, 1e9 do t[i] = i end");
  await page.locator('[data-fix="check"]').click();
  // All of it before a checker that is deep in thought can answer the stop.
  await area(page).evaluate(async (field, answer) => {
    const button = (name) => document.querySelector(`[data-fix="${name}"]`);
    const shown = async (name) => {
      while (!button(name)) await new Promise(requestAnimationFrame);
      return button(name);
    };
    (await shown("stop")).click();
    await shown("check");
    field.value = answer;
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    await new Promise(requestAnimationFrame);
    (await shown("check")).click();
  }, lesson.exercise.solution);
  await page.locator('[data-grade="passed"]').waitFor({ timeout: 60_000 });
});

test("the same program in other languages, its arrow in step", async (t) => {
  const lesson = lessons.find((one) => one.lenses.some((lens) => lens.file.endsWith(".py")));
  const lens = lesson.lenses.find((one) => one.file.endsWith(".py"));
  const variant = lesson.variants.find((one) => programs(one).includes(lens.program));
  const page = await open(t, `#lesson=${lesson.id}&variant=${variant.id}&mode=schedule`);
  await page.locator(".listing .faces").first().selectOption("py");
  const client = programs(variant).indexOf(lens.program);
  const listing = page.locator(".listing", { has: page.locator("h3", { hasText: lens.label }) });
  const next = async () => listing.locator(".code li").evaluateAll((all) =>
    all.map((line, at) => (line.classList.contains("next") ? at : -1)).filter((at) => at >= 0));
  const before = await next();
  assert.ok(before.length > 0, "the next line is marked");
  await page.keyboard.press(String(client + 1));
  await page.locator('main.lesson[data-step-now="1"]').waitFor();
  assert.notDeepEqual(await next(), before);
  await page.reload();
  await listing.first().waitFor();
  assert.equal(await page.locator(".listing .faces").first().inputValue(), "py");
  // The choice is kept for the other parts, and for other lessons; where a program has one reading
  // only, its language is said.
  await go(page, `#lesson=${lesson.id}&mode=situation&lang=en`);
  assert.equal(await page.locator("main.situation .faces").first().inputValue(), "py");
  await go(page, `#lesson=${lesson.id}&mode=review&lang=en`);
  assert.equal(await page.locator("main.review .faces").inputValue(), "py");
  await go(page, "#lesson=oversell&mode=watch&lang=en");
  await page.locator("h1", { hasText: "Oversell" }).waitFor();
  assert.equal(await page.locator(".listing .faces").first().inputValue(), "py");
  await go(page, "#lesson=failover&mode=watch&lang=en");
  await page.locator(".listing .language", { hasText: /^Lua$/ }).first().waitFor();
  assert.equal(await page.locator(".faces").count(), 0);
});

test("the rule has the calls of one language at a time, to copy", async (t) => {
  const page = await open(t, "#lesson=lost-update&mode=review&lang=en",
    { permissions: ["clipboard-read", "clipboard-write"], before: copies });
  const calls = page.locator(".calls[data-calls]");
  await calls.locator(".faces").selectOption("go");
  await calls.locator("li", { hasText: "go-redis: rdb.IncrBy" }).waitFor();
  assert.equal(await page.locator("main.review", { hasText: "redis-rs" }).count(), 0);
  await calls.locator('[data-calls="copy"]').click();
  await calls.locator('[data-calls="copy"]', { hasText: "Copied" }).waitFor();
  const go = lessons.find((one) => one.id === "lost-update").lenses.find((one) => one.file === "incrby.go");
  assert.equal(await page.evaluate(() => window.copied), go.source);
});

test("a flow chart lights the node of each client", async (t) => {
  const lesson = lessons.find((one) => one.flows.length > 0);
  const variant = lesson.variants.find((one) => programs(one).includes(lesson.flows[0].program));
  const page = await open(t, `#lesson=${lesson.id}&variant=${variant.id}&mode=schedule`);
  await page.locator(".listing .faces").first().selectOption("flow");
  await page.locator(".flow .lit").first().waitFor();
  const lit = () => page.locator(".flow .lit").allInnerTexts();
  const before = await lit();
  await page.locator(".dock .step:not([aria-disabled])").first().click();
  await page.locator('main.lesson[data-step-now="1"]').waitFor();
  assert.notDeepEqual(await lit(), before);
});

test("the guide leads to an advice with its verdicts, and back", async (t) => {
  const page = await open(t, `#lesson=${guide.id}`);
  let id = guide.guide.questions[0].id;
  for (let step = 0; step < 20 && guide.guide.questions.some((one) => one.id === id); step++) {
    await page.locator(`[data-question="${id}"]`).waitFor();
    const question = guide.guide.questions.find((one) => one.id === id);
    id = question.answers.at(-1).to;
    await page.locator(".guide .choice").last().click();
  }
  await page.locator(`[data-advice="${id}"]`).waitFor();
  assert.ok(page.url().includes(`at=${id}`), page.url());
  assert.ok(await page.locator(".because li").count() > 0);
  await page.reload();
  await page.locator(`[data-advice="${id}"]`).waitFor();
  await page.getByRole("button", { name: "Start again" }).click();
  await page.locator(`[data-question="${guide.guide.questions[0].id}"]`).waitFor();
  for (const advice of guide.guide.advice) {
    await go(page, `#lesson=${guide.id}&at=${advice.id}&lang=zh`);
    await page.locator(`[data-advice="${advice.id}"]`, { hasText: advice.title.zh }).waitFor();
  }
});

test("the glossary has every term in both languages, and can be filtered", async (t) => {
  const { terms } = read("glossary.json");
  const page = await open(t, "#page=glossary");
  await page.locator("[data-term]").first().waitFor();
  assert.equal(await page.locator("[data-term]").count(), terms.length);
  await page.locator(".glossary input").fill("丢失更新");
  await page.locator('[data-term="lost-update"]').waitFor();
  assert.ok(await page.locator("[data-term]").count() < terms.length);
  await page.locator(".glossary input").fill("xyzzy");
  await page.locator('.glossary [role="status"]').waitFor();
});

test("on a phone nothing is wider than the screen, and targets are large", async (t) => {
  const page = await open(t, "", { size: 390 });
  const addresses = [["#page=glossary", ".glossary dt"], [`#lesson=${guide.id}`, ".guide .choice"]];
  for (const mode of ["break", "fix", "review"]) addresses.push([`#lesson=lost-update&mode=${mode}`, `.page:has([data-mode="${mode}"].on) main`]);
  for (const [address, shows] of addresses) {
    await go(page, address);
    await page.locator(shows).first().waitFor();
    await still(page);
    const found = await page.evaluate(() => ({
      content: document.documentElement.scrollWidth,
      window: document.documentElement.clientWidth,
      small: [...document.querySelectorAll("button, select, input, .main")]
        .filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 43.5)
        .map((e) => e.innerText),
    }));
    assert.ok(found.content <= found.window, `${address}: ${found.content} px`);
    assert.deepEqual(found.small, [], address);
  }
});
