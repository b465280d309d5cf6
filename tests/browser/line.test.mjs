// A lesson's line: six parts in a row, one button that leads on from each of them and stands in one place, what is
// done marked in the tabs, and the way back to where one was from the front page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { drawn, ended, faultsOf, open as start, opened, played, ROOT, stepped, still } from "./harness.mjs";

const open = (t, address, options) => start(t, address, { unpainted: "words and places are asked of the page", ...options });
const go = (page, hash) => page.evaluate((hash) => { location.hash = hash; }, hash);
const PARTS = ["situation", "watch", "break", "find", "fix", "review"];
const next = (page) => page.locator('[data-move="next"]');
const tab = (page, part) => page.locator(`.modes [data-mode="${part}"]`);
const shown = (page, part) => page.locator(`.modes [data-mode="${part}"].on`).waitFor({ state: "attached" });

/** Where the button and what stands in the head are, and which buttons are dark. */
const frame = (page) => page.evaluate(() => {
  const shown = (one) => one.checkVisibility() && !one.closest(".ghost");
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  const name = ({ dataset, className }) => dataset.move ?? dataset.tool ?? dataset.mode ?? className;
  const place = (one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return `${name(one)}: ${[x, y, width, height].map(Math.round)}`;
  };
  const ink = getComputedStyle(document.body).color;
  return {
    // The goal's button is there where there is a goal to show, and moves nothing.
    fixed: all('[data-move="next"], .head .modes > button, .head .tools > :not([data-move="goal-low"])')
      .map(place).join("\n"),
    dark: all("button, a").filter((one) => getComputedStyle(one).backgroundColor === ink).map(name),
  };
});

for (const [size, language] of [[1440, "en"], [1280, "zh"], [800, "zh"], [667, "en"], [390, "en"]]) {
  test(`the line of lost-update, part after part, at ${size} px`, async (t) => {
    const page = await open(t, "#lesson=lost-update&mode=situation", { size, language });
    const places = [];
    for (const [number, part] of PARTS.entries()) {
      await shown(page, part);
      if (part === "watch") await page.keyboard.press("End");
      await still(page);
      const { fixed, dark } = await frame(page);
      places.push(fixed);
      assert.ok(dark.length <= 1, `${part}: ${dark}`);
      const box = await next(page).boundingBox();
      const window = page.viewportSize();
      assert.ok(box.x >= 0 && box.x + box.width <= window.width, `${part}: in the window`);
      assert.ok(box.y >= 0 && box.y + box.height <= window.height, `${part}: in the window`);
      if (number < PARTS.length - 1) await next(page).click();
    }
    assert.equal(new Set(places).size, 1, places.join("\n\n"));
    // After the last part comes the next lesson, at its beginning.
    await next(page).click();
    await shown(page, "situation");
    assert.doesNotMatch(page.url(), /lost-update/);
    // The browser's own way back leads through the parts.
    await page.goBack();
    await shown(page, "review");
    await page.goBack();
    await shown(page, "fix");
  });
}

test("what is done is marked, and the front page goes on from there", async (t) => {
  const page = await open(t, "#lesson=lost-update&mode=situation");
  const done = (part) => tab(page, part).locator("i");
  assert.equal(await done("situation").count(), 0);
  await page.keyboard.press("n");
  await done("situation").waitFor();
  await page.keyboard.press("End");
  await done("watch").waitFor();
  await page.keyboard.press("n");
  await shown(page, "break");
  // It begins at the beginning, whatever was watched.
  await page.locator('main.lesson[data-step-now="0"]').waitFor();
  for (const key of ["1", "2", "1", "2"]) await page.keyboard.press(key);
  await done("break").waitFor();
  await go(page, "#lang=en");
  const goesOn = page.locator(".go-on");
  await goesOn.waitFor();
  assert.match(await goesOn.innerText(), /Lost update/);
  assert.equal(await goesOn.locator("li.done").count(), 3);
  assert.match(await goesOn.locator("a.main").innerText(), /Continue: Find/);
  assert.match(await page.locator(".chapter-done").first().innerText(), /0 of \d+ done/);
  await goesOn.locator("a.main").click();
  await shown(page, "find");
});

test("the rule closes the lesson, in both languages", async (t) => {
  const page = await open(t, "#lesson=lost-update&mode=review");
  const rule = page.locator(".rule > p");
  await rule.waitFor();
  assert.match(await rule.innerText(), /^Tell Redis what to change/);
  assert.doesNotMatch(await page.locator('[data-section="notes"]').innerText(), /Remember/);
  await go(page, "#lesson=lost-update&mode=review&lang=zh");
  await page.waitForFunction(() => !document.querySelector(".rule > p")?.innerText.startsWith("Tell"));
  assert.doesNotMatch(await rule.innerText(), /记住/);
});

test("a story asks before its decisive step; the step answers, and it can be skipped", async (t) => {
  for (const hand of ["mouse", "keys"]) {
    const page = await open(t, "#lesson=lost-update&mode=watch&step=2");
    const step = (number) => page.locator(`main.lesson[data-step-now="${number}"]`).waitFor();
    await step(2);
    assert.equal(await page.locator(".ask").count(), 0);
    const button = page.locator('.dock [data-client="A"]');
    if (hand === "mouse") await button.click();
    else await button.press("Enter");
    await step(3);
    const ask = page.locator(".ask");
    // It takes the keyboard, and is read after the sentence of the step.
    await ask.locator(".answers button:first-child:focus").waitFor();
    assert.match(await ask.innerText(), /What will balance be after B’s SET\?/);
    assert.match(await page.locator('[aria-live="polite"]').first().innerText(), /What will balance be/);
    for (const key of ["ArrowRight", "PageDown"]) await page.keyboard.press(key);
    assert.equal(await page.locator('main.lesson[data-step-now="3"]').count(), 1, "no key passes it");
    for (const answer of ["10", "20", "30"]) {
      await ask.getByRole("button", { name: answer, exact: true }).waitFor();
    }
    if (hand === "mouse") {
      await ask.getByRole("button", { name: "30" }).click();
      assert.equal(await page.locator(".foretold").count(), 0, "to choose does not answer");
      await ask.locator('[data-ask="go"]').click();
    } else {
      await page.keyboard.press("3");
      await ask.locator('[data-ask="go"]:focus').waitFor();
      await page.keyboard.press("Enter");
    }
    await step(4);
    await page.locator('.dock [data-client="A"]:focus').waitFor();
    assert.equal(await page.locator(".foretold.bad").innerText(), "You said 30. It is 20.");
    // Skipped, it says so.
    await go(page, "#lesson=lost-update&mode=watch&walk=in-turn&step=3");
    await ask.locator('[data-ask="skip"]').waitFor();
    if (hand === "mouse") await ask.locator('[data-ask="skip"]').click();
    else await page.keyboard.press("Escape");
    await step(4);
    assert.match(await page.locator(".foretold").innerText(), /^The question was skipped\. The answer: /);
  }
});

/** What of a question cannot be seen or pressed, in words; null where there is none. */
const unseen = async () => {
  if (!document.querySelector(".ask")) return null;
  for (let turn = 0; turn < 2; turn++) await new Promise(requestAnimationFrame);
  const bar = document.querySelector(".say.asked").getBoundingClientRect();
  return [...document.querySelectorAll(".say.asked :is(h3, .answers button, .way)")].flatMap((one) => {
    const { top, bottom, left, width, height } = one.getBoundingClientRect();
    const name = one.innerText.trim();
    const hit = document.elementFromPoint(left + width / 2, top + height - 3);
    return [
      ...(top < bar.top - 1 || bottom > bar.bottom + 1 ? [`${name} leaves its bar`] : []),
      ...(one.contains(hit) ? [] : [`${name} is covered by ${hit?.className}`]),
    ];
  });
};

const CALM = "steps are measured, not their films";

/** The stories of these lessons, for `stepped`. */
const storiesOf = (...lessons) =>
  lessons.flatMap((lesson) => {
    const { walks, variants } = JSON.parse(readFileSync(join(ROOT, `dist/lessons/${lesson}.json`), "utf8"));
    return walks.map(({ id, variant, schedule }) => ({
      address: `#lesson=${lesson}&variant=${variants[variant].id}&mode=watch&walk=${id}&step=0`,
      steps: schedule.split(".").length,
    }));
  });

for (const size of [390, 360, 667]) {
  test(`a question and its answers are in sight at ${size} px`, async (t) => {
    const page = await open(t, "#page=glossary", { size, calm: CALM, language: "zh" });
    const stories = storiesOf("redlock", "sessions", "lost-update", "fair-semaphore", "watchdog");
    const found = await stepped(page, stories, unseen);
    assert.deepEqual(faultsOf(found, stories), []);
    const questions = found.flat().filter((one) => one !== null).length;
    assert.ok(questions >= 10, `${questions} questions`);
  });
}

test("on a phone what is stored is in sight, and finished steps give their room to the end", async (t) => {
  const page = await open(t, "#page=glossary", { size: 390, calm: CALM });
  const stories = storiesOf("shared-connection", "consumer-group", "failover", "cache-aside", "fair-semaphore", "multi-exec");
  const look = () => {
    const pane = document.querySelector(".redis").getBoundingClientRect().bottom;
    const out = [...document.querySelectorAll(".redis .key .val")].filter((one) => one.getBoundingClientRect().bottom > pane + 1);
    const isOver = ![...document.querySelectorAll(".dock .steps > button")].some((one) => !one.ariaDisabled);
    const dock = document.querySelector(".dock").offsetHeight;
    return [...out.map((one) => `${one.innerText} is out of sight`), ...(isOver && dock > 64 ? [`a dock of ${dock} px`] : [])];
  };
  assert.deepEqual(faultsOf(await stepped(page, stories, look), stories), []);
  // Where there are more keys than room, the panel scrolls to one that changes, below the slot.
  const many = storiesOf("market", "lock-grain", "job-queue", "redlock-limits");
  const changed = () => {
    const [pane, slot] = [".redis", ".redis .slot"].map((one) => document.querySelector(one).getBoundingClientRect());
    const keys = [...document.querySelectorAll(".redis .key.changed")].map((key) => [key.dataset.key, key.querySelector(".val").getBoundingClientRect()]);
    const isIn = ([, { top, bottom }]) => bottom <= pane.bottom + 1 && top >= Math.max(pane.top, document.querySelector(".board.many") ? 0 : slot.bottom) - 1;
    return keys.length > 0 && !keys.some(isIn) ? [`${keys.map(([key]) => key)} changed out of sight`] : [];
  };
  assert.deepEqual(faultsOf(await stepped(page, many, changed), many), []);
});

test("on a phone the key that a step has changed is in sight after Back, too", async (t) => {
  const page = await open(t, "#lesson=lock-grain", { size: 360 });
  const { address, steps } = storiesOf("lock-grain").find(({ address }) => address.includes("walk=queue"));
  await go(page, address.replace("step=0", `step=${steps - 1}`));
  const step = (number) => page.locator(`main.lesson[data-step-now="${number}"]`).waitFor();
  await step(steps - 1);
  const cut = [];
  for (let now = steps - 2; now > 0; now--) {
    await page.keyboard.press("ArrowLeft");
    await step(now);
    await ended(page);
    await drawn(page);
    cut.push(...await page.evaluate((now) => {
      const [pane, slot] = [".redis", ".redis .slot"].map((one) => document.querySelector(one).getBoundingClientRect());
      const keys = [...document.querySelectorAll(".redis .key.changed")].map((key) => key.querySelector(".val").getBoundingClientRect());
      const isIn = ({ top, bottom }) => bottom <= pane.bottom + 1 && top >= slot.bottom - 1;
      return keys.length > 0 && !keys.some(isIn) ? [`step ${now}`] : [];
    }, now));
  }
  assert.deepEqual(cut, []);
});

test("Find draws the map of all schedules, and says it in words and in a table", async (t) => {
  for (const size of [1280, 390]) {
    const page = await open(t, "#lesson=lost-update&mode=find", { size });
    const map = page.locator("figure.map");
    await map.locator("svg[aria-hidden]").first().waitFor();
    assert.match(await map.locator("figcaption").innerText(), /^Of 6 orders 4 go wrong\.\s+12 states/);
    const box = await map.locator("svg[aria-hidden]").first().boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= page.viewportSize().width, "in the window");
    const sum = await map.locator("table tbody tr").evaluateAll((rows) =>
      rows.reduce((sum, row) => sum + Number(row.cells[2].innerText), 0));
    // All states but those that are met after a break.
    assert.ok(sum > 6 && sum <= 12, `${sum} states in the table`);
  }
});

test("Break it says when an order can no longer break it, and leads back", async (t) => {
  for (const size of [1280, 390]) {
    const page = await open(t, "#lesson=lost-update&mode=break", { size });
    const step = (number) => page.locator(`main.lesson[data-step-now="${number}"]`).waitFor();
    await step(0);
    await page.locator('.dock [data-client="A"]').click();
    await step(1);
    await page.locator('.dock [data-client="A"]').click();
    await page.locator(".dared .foretold", { hasText: "This order is fine: A’s SET balance 20 closed the gap. Step back: an order that breaks it goes on with B: GET balance." }).waitFor();
    await page.getByRole("button", { name: "Back to step 1" }).click();
    await step(1);
    await page.waitForFunction(() => !document.querySelector(".dared .foretold"));
    for (const client of "BAB") await page.locator(`.dock [data-client="${client}"]`).click();
    await page.locator('.dared[data-done="true"]').waitFor();
    assert.equal(await page.locator(".dared .foretold:not(.ghost *)").count(), 0);
  }
});

test("what is said at the end of a story is seen whole, with the ways on", async (t) => {
  const ends = [["failover", "caught"], ["lost-update", "in-turn"], ["sliding-window", "clock-ahead"]];
  for (const size of [1280, 800, 390, { width: 844, height: 390, touch: true }]) {
    const page = await open(t, "#lesson=lost-update&mode=watch", { size });
    for (const language of ["en", "zh"]) {
      for (const [lesson, story] of ends) {
        await go(page, `#lesson=${lesson}&mode=watch&walk=${story}&step=0&lang=${language}`);
        // The lesson before it stands at step 0, too.
        const { title, walks } = JSON.parse(readFileSync(join(ROOT, `dist/lessons/${lesson}.json`), "utf8"));
        await page.locator(".head h1", { hasText: title[language] }).waitFor();
        await played(page, walks.find(({ id }) => id === story).schedule);
        await page.locator('main.lesson[data-step-now="0"]').waitFor();
        await page.keyboard.press("End");
        await page.locator(".say .ways button").first().waitFor();
        const cut = await page.evaluate(() => {
          const [bar, story] = [".saying", ".saying .story"].map((one) => document.querySelector(one));
          const parts = [...document.querySelectorAll(".say .ways button"), story];
          const { top, bottom } = bar.getBoundingClientRect();
          const out = parts.filter((one) => {
            const box = one.getBoundingClientRect();
            return box.top < top - 1 || box.bottom > bottom + 1;
          });
          return [bar, story].filter((one) => one.scrollHeight > one.clientHeight + 1).length + out.length;
        });
        assert.equal(cut, 0, `${lesson} ${story} ${language} ${JSON.stringify(size)}`);
      }
    }
  }
});

test("a chapter ends with a mixed exercise, which asks before anything is searched", async (t) => {
  for (const [size, language, link, right] of [
    [1280, "en", "Mixed exercise: The highest bid", ["Mutex, one server", "Lua script"]],
    [390, "zh", "综合练习：", null],
  ]) {
    const page = await open(t, "", { size, language });
    await page.locator(".chapter a", { hasText: link }).first().click();
    await shown(page, "situation");
    await page.locator(".programs-shown figure").nth(5).waitFor();
    const quiz = page.locator(".situation .quiz");
    // No line of a program that is to be compared is cut.
    const cut = await page.locator(".programs-shown pre").evaluateAll((all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth + 1).length);
    assert.equal(cut, 0);
    if (right) {
      for (const name of right) await quiz.locator(".choice", { hasText: name }).click();
      await quiz.locator(".turn .give").click();
      await quiz.locator(".told .ok").waitFor();
    }
    await next(page).click();
    await shown(page, "break");
  }
});

test("the next two steps are called up from the menu, and follow the run", async (t) => {
  const page = await open(t, "#lesson=lost-update&mode=schedule", { size: 1440 });
  await page.locator('.dock [data-client="A"]').click();
  await page.locator(".orders").waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.locator('main.lesson[data-step-now="0"]').waitFor();
  const call = page.locator('[popovertarget="around"]');
  await opened(page);
  await call.click();
  const around = page.locator(".around:popover-open");
  await around.locator("li", { hasText: "A GET balance" }).first().waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.locator('.dock [data-client="A"]').click();
  await opened(page);
  await call.click();
  await around.locator("li.doomed", { hasText: "B GET balance" }).waitFor();
  assert.equal(await around.locator("li").count(), 5);
});
