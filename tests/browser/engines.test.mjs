// Every mode, in every engine that students have: the same steps by mouse and keys in Chromium,
// Firefox and WebKit. What each mode can do beyond that, the other files try in Chromium.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { ENGINES, until } from "./engines.mjs";
import { ROOT, serve } from "./harness.mjs";
import { LONG } from "./hostile.mjs";

const LESSON = "#lesson=lost-update&variant=naive&lang=en";
const lesson = JSON.parse(readFileSync(join(ROOT, "dist/lessons/lost-update.json"), "utf8"));

for (const { name, missing, start } of ENGINES) {
  const why = missing();
  if (why) {
    test(`${name}: every mode`, { skip: why });
    continue;
  }
  describe(name, () => {
    let page;
    let visits = 0;

    before(async () => {
      page = await start();
      await page.resize(1280, 800);
    });
    after(() => page?.stop());

    /** Loads the page at this address, and notes from then on whatever is thrown or refused. */
    async function visit(address) {
      visits += 1;
      await page.go(`${await serve()}?visit=${visits}${address}`);
      await page.run(() => {
        window.thrown = [];
        addEventListener("error", (event) => thrown.push(event.message));
        addEventListener("unhandledrejection", (event) => thrown.push(String(event.reason)));
        addEventListener("securitypolicyviolation", (event) => thrown.push(`refused: ${event.blockedURI}`));
      });
    }
    afterEach(async () => assert.deepEqual(await page.run(() => window.thrown), []));

    const at = (step) => page.see(`main.lesson[data-step-now="${step}"]`);
    const mode = (name) => page.click(`[data-mode="${name}"]`);

    /** A reads, B reads, A writes, B writes: one deposit is lost. */
    async function lose(act) {
      await at(0);
      for (const [number, client] of ["A", "B", "A", "B"].entries()) {
        await act(client);
        await at(number + 1);
      }
      await page.see(".chip.bad");
    }
    const byKey = (client) => page.press(client === "A" ? "a" : "b");
    const byMouse = (client) => page.click(`.dock button.step[data-client="${client}"]`);

    test("the front page leads into a lesson", async () => {
      await visit("#lang=en");
      // Not its first paint.
      await page.see('.front .stage[data-step-now="0"]');
      await page.see(".front .say", "Nothing has run yet");
      await page.click("a", "Start with the lost update");
      await at(0);
    });

    test("Watch: a story from its start to its end", async () => {
      const [walk] = lesson.walks;
      await visit(`${LESSON}&mode=watch&walk=${walk.id}`);
      await at(0);
      const steps = walk.schedule.split(".").length;
      for (let step = 1; step <= steps; step += 1) {
        await page.press(await page.count(".ask") > 0 ? "Escape" : "ArrowRight");
        await at(step);
        await page.see(".story p");
      }
      await page.see(".chip.bad");
      await until("no step is left", async () => await page.count(".dock .step:not([aria-disabled])") === 0);
    });

    test("Schedule: into the lost update, the sentence, and back", async () => {
      await visit(`${LESSON}&mode=schedule`);
      await lose(byMouse);
      await page.see(".story", "B computed its write (step 4) from 10 (step 2)");
      await page.press("ArrowLeft");
      await at(3);
      await until("the chip is no longer bad", async () => (await page.count(".chip.bad")) === 0);
      await page.press("ArrowRight");
      await at(4);
      await page.see(".chip.bad");
    });

    test("Break it: the goal is met in the fewest steps", async () => {
      await visit(`${LESSON}&mode=break`);
      await page.see('.dared[data-done="false"]');
      await lose(byKey);
      await page.see('.dared[data-done="true"]', "Broken at step 4. That is the fewest");
    });

    test("Find: verdicts, outcomes, and the run that breaks it", async () => {
      await visit(LESSON);
      await at(0);
      await page.press("s");
      await page.see('.question.bad[data-question="total"] .verdict', "shortest run");
      await page.see('.question.ok[data-question="finish"] .verdict');
      await page.see(".outcomes", "orders");
      await page.see(".outcomes li.ok");
      await page.see(".outcomes li.bad");
      // Until it has counted all orders, answers still move down.
      await page.see('main.find[data-running="false"]');
      await page.click('[data-play="total"]');
      // A press while the run is still being opened keeps what there is of it: on a slow machine three steps.
      await page.see('.dock .strip[aria-valuemax="4"]');
      await at(2);
      await page.press("End");
      await page.see(".chip.bad");
    });

    test("Fix it: what breaks is told so, and an answer typed in passes", async () => {
      await visit(`${LESSON}&mode=fix`);
      await page.click('[data-fix="check"]');
      await page.see('main.fix[data-grade="failed"]');
      await page.see(".fix .question.bad");
      await page.type(".editor textarea", lesson.exercise.solution.trim());
      await page.see('main.fix[data-grade="none"]');
      await page.click('[data-fix="check"]');
      await page.see('main.fix[data-grade="passed"]');
      assert.equal(await page.count(".fix .question.bad"), 0);
    });

    test("Crowd: it runs, and shows figures", async () => {
      await visit("#lesson=oversell&mode=crowd&crowd=seeds:2,clients:300&lang=en");
      await page.click('[data-run="crowd"]');
      await page.see('main.crowd[data-running="false"] .crowd-state .said', "6 runs, 1,800 requests");
      await page.see(".crowd-table td", "not 0 in 2 of 2 runs");
      await page.see(".histogram button.bad");
    });

    test("Review: a wrong answer and the right one", async () => {
      const quiz = lesson.quizzes.find((one) => !one.several);
      const article = `[data-quiz="${quiz.id}"]`;
      const answer = (number) => page.click(`${article} .choice`, quiz.choices[number].en);
      await visit(`${LESSON}&mode=review`);
      await answer(quiz.choices.findIndex((_, at) => !quiz.right.includes(at)));
      await page.see(`${article} .told .bad`);
      await page.click(`${article} button`, "Answer again");
      await answer(quiz.right[0]);
      await page.see(`${article} .told .ok`);
    });

    test("Playground: it breaks, is edited, and holds", async () => {
      await visit("#page=playground&lang=en");
      // The verdict is there without being asked for, and Find shows the same search.
      await page.see('.own-live[data-live="bad"][data-search]');
      await mode("find");
      await page.see(".question.bad .verdict", "shortest run");
      await mode("edit");
      await page.type(".own .editor textarea", 'redis.call("INCR", "n"');
      await page.see('main.own:not([data-mistakes="0"])');
      await page.press(")");
      await page.see('.own-live[data-live="ok"][data-search]');
      await mode("find");
      await page.see(".question.ok .verdict");
      assert.equal(await page.count(".question.bad"), 0);
    });

    test("the presenter view opens and closes", async () => {
      await visit(`${LESSON}&mode=watch`);
      await at(0);
      await page.press("p");
      await page.see(".page.presenting");
      await page.press("ArrowRight");
      await at(1);
      await page.press("p");
      await page.see(".page:not(.presenting)");
    });

    test("no link kills the page or keeps it from answering", async () => {
      await visit("#lesson=lost-update&mode=schedule&lang=en&schedule=c1-SETBIT_big_4294967295_1");
      await page.see(".say .story", "OOM command not allowed: a world of this page may hold 16 MiB");
      await byMouse("A");
      await at(2);
      for (const link of Object.values(LONG)) {
        await visit(link);
        await byMouse("A");
        await page.see(".banner", "This run has more steps: it was left at step");
      }
    });

    test("the language changes in place", async () => {
      await visit(LESSON);
      await at(0);
      await page.press("s");
      await page.see(".question.bad .verdict", "shortest");
      await page.click(".tools .lang");
      await page.see(".question.bad .verdict", "最短");
      await until("the root's language", () => page.run(() => document.documentElement.lang === "zh-Hans"));
    });
  });
}
