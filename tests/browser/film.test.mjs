// A step is a film: its tokens go where they belong, it ends as the page would look without it, a press ends it
// and begins the next, nothing that is pressed moves, and nothing of the future is told. Where the reader wants no
// motion there is none.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test, { after } from "node:test";
import { faultsOf, open as opened, opened as menu, openUnchecked, played, ROOT, stepped, turn, whole } from "./harness.mjs";
import { hold, KINDS, run } from "./kinds.mjs";

const lessons = readdirSync(join(ROOT, "dist/lessons"))
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(join(ROOT, "dist/lessons", name), "utf8")))
  .filter((one) => one.variants && one.walks?.length > 0);

/** Opens a page whose steps have films. */
async function open(...how) {
  const page = await opened(...how);
  await whole(page);
  return page;
}

const at = (page, step) => page.locator(`main.lesson[data-step-now="${step}"]`).waitFor();

/** Waits until a film is loaded. */
const loaded = (page) => page.waitForFunction(() => document.getAnimations().length > 0);
const over = (page) => page.waitForFunction(() => document.getAnimations().length === 0);
const finish = (page) => page.evaluate(() => document.getAnimations().forEach((one) => one.finish()));

/** All that a frame shows in words. */
const words = (page) =>
  page.evaluate(() => {
    const found = {};
    for (const part of [".chips", ".clients", ".listings", ".diagram svg", ".board", ".say", ".dock .steps"]) {
      const element = document.querySelector(`:is(.goal, .page) ${part}`);
      found[part] = element?.textContent.replaceAll(/\s+/g, " ").trim();
    }
    return found;
  });

/** At a part of the film: every token that is seen, the place that it is nearest to, and what is wrong. */
const look = (part) => {
  const all = document.getAnimations();
  const length = Math.max(...all.map((one) => one.effect.getComputedTiming().duration));
  for (const one of all) one.currentTime = part * length;
  const problems = [];
  const box = (selector) => document.querySelector(selector)?.getBoundingClientRect();
  const seen = [...document.querySelectorAll(".film > .token")].filter((one) => Number(getComputedStyle(one).opacity) > 0.05);
  const main = box("main.stage");
  const step = Number(document.querySelector("main.stage").dataset.stepNow);
  const tokens = seen.map((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = [left + 12, top + height / 2];
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) problems.push(`${one.innerText} is outside`);
    if (y < main.top - 2 || y > main.bottom + 2) problems.push(`${one.innerText} is off the stage`);
    if (!width) problems.push(`${one.innerText} has no size`);
    const time = box(".stage > .time");
    // In the middle of the diagram a token is on the row of the step, or of an earlier one that it ends.
    const middle = x > time.left + time.width * 0.3 && x < time.right - time.width * 0.3;
    const rows = [...document.querySelectorAll(`.diagram .row`)]
      .filter((row) => Number(row.dataset.step) <= step)
      .flatMap((row) => [...row.querySelectorAll("path, line")].map((line) => line.getBoundingClientRect()));
    const off = Math.min(...rows.map((row) => Math.max(row.top - y, y - row.bottom, 0)));
    if (middle && Number.isFinite(off) && off > 40) problems.push(`${one.innerText} is ${off.toFixed()} px off every row`);
    const column = x < time.left ? "code" : x < time.right ? "time" : "redis";
    return { x, y, column, words: one.innerText, sent: one.querySelector("b") !== null };
  });
  for (const slot of document.querySelectorAll(".slot")) {
    const inside = slot.getBoundingClientRect();
    const taken = tokens.filter(({ x, y, sent }) =>
      sent && x > inside.left && x < inside.right && y > inside.top && y < inside.bottom);
    if (taken.length > 1) problems.push(`${taken.length} commands in one slot`);
  }
  return { tokens, problems, length };
};

/** What is seen of a frame: its words, and the shapes of the diagram, each with its box. */
const sights = () => {
  const seen = [];
  const opacity = (element) => {
    let all = 1;
    for (let one = element; one; one = one.parentElement) all *= Number(getComputedStyle(one).opacity);
    return all;
  };
  const add = (what, element, { x, y, width, height }) => {
    // A line may be thin; words that are folded up are not seen.
    const least = what.startsWith('"') ? Math.min(width, height) : Math.max(width, height);
    if (least < 1 || opacity(element) < 0.06) return;
    if (!element.checkVisibility({ visibilityProperty: true })) return;
    const place = element.closest(".diagram svg") ? "diagram" : element.closest(".listings") ? "code" : "page";
    seen.push({ what, place, x, y, width, height });
  };
  // The press itself shows where the run stands, opens the listing that runs, and asks the next question: the
  // map beside the run follows it, and the controls are those of the next step. Behind the heads stands the clock.
  const beside = ".sr, .diagram table, title, .tint, .veil, .hit, .present, .pale, .passed-by, defs *, .orders, .dock";
  for (const part of document.querySelectorAll("main.stage, .goal, section.say, .film")) {
    const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement;
      const text = texts.currentNode.textContent.trim();
      if (!text || element.closest(beside)) continue;
      if (element.closest(".listings") && !element.closest(".values, .cells")) continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      add(`"${text}"`, element, range.getBoundingClientRect());
    }
  }
  for (const shape of document.querySelectorAll(".diagram svg :is(path, rect, circle)")) {
    if (shape.closest(beside)) continue;
    const around = shape.closest(".row, .band, .window, .lane, .server, .blame");
    add([shape.localName, shape.classList, around?.classList].join(" "), shape, shape.getBoundingClientRect());
  }
  return seen;
};

/** What is seen at the beginning of the film, in its middle and at its end. */
const seeks = (sights) =>
  [0, 0.5, 1].map((part) => {
    for (const one of document.getAnimations()) one.currentTime = part * one.effect.getComputedTiming().duration;
    return sights();
  });

/** Whether both are the same in the same place; lines of code scroll. */
const same = (one, other) =>
  one.what === other.what && (one.place === "code" || other.place === "code"
    || ["x", "y", "width", "height"].every((side) => Math.abs(one[side] - other[side]) < 4));

/** Whether it lies within the box of the other: it is that, and has not grown to its end. */
const within = (one, other) =>
  one.what === other.what && ["x", "y"].every((side) => one[side] > other[side] - 4)
    && one.x + one.width < other.x + other.width + 4 && one.y + one.height < other.y + other.height + 4;

const told = ({ what, x, y, width, height }) => `${what} at ${[x, y, width, height].map(Math.round)}`;

/**
 * Two pages in which each run is opened by its address: where films stand still as they begin, and where none is ever
 * played.
 */
let [films, still] = [];
after(async () => {
  for (const page of [films, still]) {
    await page?.context().close();
    assert.deepEqual(page?.problems ?? [], []);
  }
});
const without = async (kind, fingerprint) => {
  still ??= await openUnchecked("", { size: 1440, calm: "it is the page without a film" });
  await still.evaluate((hash) => (location.hash = hash), run(kind));
  await still.locator(`main.lesson[data-step-now="${kind.step}"][data-fingerprint="${fingerprint}"]`).waitFor();
  await played(still, kind.schedule);
  return words(still);
};

for (const kind of KINDS) {
  const { name, step, token } = kind;
  let seen;
  test(`the film of ${name}: tokens are where they belong, and it ends as the page without it`, async () => {
    if (!films) {
      films = await openUnchecked("#page=glossary", { size: 1440, before: hold });
      await whole(films);
    }
    const page = films;
    await page.evaluate(() => (window.held = true));
    await turn(page, run({ ...kind, step: step - 1 }), `main.lesson[data-step-now="${step - 1}"]`);
    await played(page, kind.schedule);
    // The map of all orders comes by itself, into its room.
    await page.locator(".orders svg").waitFor({ state: "attached" });
    // A page that opens at a step may still show how it got there.
    await finish(page);
    await over(page);
    const before = await page.evaluate(sights);
    await page.keyboard.press("ArrowRight");
    await at(page, step);
    await loaded(page);
    const [begins, middle, after] = await page.evaluate(`(${seeks})(${sights})`);
    seen = { before, begins, middle, after };
    const columns = [];
    const looks = await page.evaluate(`Array.from({ length: 21 }, (_, part) => (${look})(part / 20))`);
    for (const [part, { problems, tokens }] of looks.entries()) {
      assert.deepEqual(problems, [], `at ${part * 5} %`);
      for (const { column, sent } of tokens) if (sent && columns.at(-1) !== column) columns.push(column);
    }
    const { tokens, length } = looks.at(-1);
    assert.deepEqual(tokens, [], "no token is left");
    assert.ok(length >= 300 && length <= 6_000, `${length} ms`);
    if (token) assert.deepEqual(columns.slice(0, 3), ["code", "time", "redis"], "from its line over its row to Redis");
    await page.evaluate(() => {
      window.held = false;
      for (const one of document.getAnimations()) one.finish();
    });
    await over(page);
    assert.equal(await page.locator(".film > *").count(), 0, "nothing is left of it");
    const fingerprint = await page.locator("main.lesson").getAttribute("data-fingerprint");
    assert.deepEqual(await words(page), await without(kind, fingerprint));
  });

  test(`the film of ${name} begins as the frame before, and no row passes over another`, () => {
    const { before, begins, middle, after } = seen;
    const early = begins.filter((one) => !before.some((other) => same(one, other)));
    assert.deepEqual(early.map(told), [], "seen before it happens");
    const lost = middle.filter((one) => one.place === "diagram"
      && !before.some((other) => same(one, other)) && !after.some((other) => within(one, other)));
    assert.deepEqual(lost.map(told), [], "where neither frame has it");
  });
}

/**
 * Which controls are not where they were at the first step: of those that are always pressed in the same place, so
 * neither links in a sentence, nor a question, nor the language of a listing, which opens and scrolls as its program runs.
 */
const moved = (step) => {
  const all = document.querySelectorAll("button, select, a[href]");
  const apart = "#menu, .ways, .ask, dialog, .strips, .story, .language";
  const shown = [...all].filter((one) => one.checkVisibility() && !one.closest(apart));
  const places = shown.map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    const name = one.dataset.client ?? one.dataset.move ?? one.dataset.mode ?? one.className;
    return `${name}: ${[x, y, width, height].map(Math.round)}`;
  });
  if (step === 0) window.first = places;
  return places.filter((one, number) => one !== window.first[number]).slice(0, 2);
};

/** The longest story of each variant: in Schedule, all of its stories are steps of the same programs. */
const longest = (walks) => {
  const steps = ({ schedule }) => schedule.split(".").length;
  const found = new Map();
  for (const walk of walks) {
    const known = found.get(walk.variant);
    if (!known || steps(walk) > steps(known)) found.set(walk.variant, walk);
  }
  return [...found.values()];
};

for (const [size, mode, which] of [[1280, "watch", "any story"], [1440, "schedule", "each variant's longest story"]]) {
  test(`no control moves between the steps of ${which}, in ${mode}, ${size} px wide`, async (t) => {
    const page = await open(t, "#page=glossary", {
      size, calm: "thousands of steps are measured; films are looked at above", unpainted: "places are measured",
    });
    const stories = lessons.flatMap(({ id, variants, walks }) => (mode === "watch" ? walks : longest(walks)).map((walk) => {
      const run = mode === "watch" ? `walk=${walk.id}` : `schedule=${walk.schedule}`;
      const address = `#lesson=${id}&variant=${variants[walk.variant].id}&mode=${mode}&${run}&step=0`;
      return { address, steps: walk.schedule.split(".").length };
    }));
    const found = await stepped(page, stories, moved);
    assert.deepEqual(faultsOf(found, stories), []);
  });
}

test("A B A B, pressed in the same two places, hits four times in every lesson", async (t) => {
  const page = await open(t, "#page=glossary", { size: 1280, unpainted: "what a press hits is asked" });
  for (const lesson of lessons) {
    const variant = lesson.variants.find(({ world }) => world.clients?.length === 2);
    if (!variant) continue;
    await page.evaluate((hash) => (location.hash = hash), `#lesson=${lesson.id}&variant=${variant.id}&mode=schedule`);
    await page.waitForFunction((id) => location.hash.includes(`lesson=${id}&`), lesson.id);
    await at(page, 0);
    const points = await page.evaluate(() => Object.fromEntries(["A", "B"].map((letter) => {
      const { x, y, width, height } = document.querySelector(`.dock .step[data-client="${letter}"]`).getBoundingClientRect();
      return [letter, [x + width / 2, y + height / 2]];
    })));
    for (const letter of "ABAB") {
      const { hit, step, open } = await page.evaluate(([letter, [x, y]]) => ({
        hit: document.elementFromPoint(x, y)?.closest(".step")?.dataset.client,
        step: Number(document.querySelector("main.lesson").dataset.stepNow),
        open: !document.querySelector(`.dock .step[data-client="${letter}"]`).ariaDisabled,
      }), [letter, points[letter]]);
      assert.equal(hit, letter, lesson.id);
      await page.mouse.click(...points[letter]);
      await at(page, step + (open ? 1 : 0));
    }
  }
});

const LOST = run({ lesson: "lost-update", variant: "naive", schedule: "A1.B1.A2.B2", step: 0 });

test("a press ends a film and begins the next; Back plays it backwards", async (t) => {
  // A film that is held where it begins ends only if the next press ends it.
  const page = await open(t, LOST, { size: 1440, before: hold });
  await at(page, 0);
  await page.keyboard.press("ArrowRight");
  await loaded(page);
  await page.keyboard.press("ArrowRight");
  await at(page, 2);
  await page.waitForFunction(() => document.querySelectorAll(".film > .token b").length === 1
    && document.querySelector(".film > .token b").textContent === "B");
  await finish(page);
  await over(page);
  // Backwards: the time runs from the end, twice as fast.
  await page.keyboard.press("ArrowLeft");
  await at(page, 1);
  await loaded(page);
  const rates = await page.evaluate(() => [...new Set(document.getAnimations().map((one) => one.playbackRate))]);
  assert.deepEqual(rates, [-2]);
  const times = await page.evaluate(async () => {
    const found = [];
    window.held = false;
    for (const one of document.getAnimations()) one.play();
    while (document.getAnimations().length > 0) {
      found.push(document.getAnimations().at(-1).currentTime);
      await new Promise(requestAnimationFrame);
    }
    return found;
  });
  assert.ok(times.length > 2 && times.every((time, number) => number === 0 || time <= times[number - 1]), `${times}`);
  const still = await open(t, LOST.replace("step=0", "step=1"), { size: 1440 });
  await at(still, 1);
  assert.deepEqual(await words(page), await words(still));
});

test("a key that is held steps at its own rate", async (t) => {
  // No film ends by itself here: a press that waited for one would never come to its step.
  const page = await open(t, LOST, { size: 1440, before: hold });
  await at(page, 0);
  await page.evaluate((hash) => (location.hash = hash), "#lesson=watchdog&variant=watchdog&mode=schedule&step=0&lang=en");
  await page.locator(".head h1", { hasText: /watchdog/i }).waitFor();
  // To the end.
  await page.keyboard.press("x");
  await page.waitForFunction(() => Number(document.querySelector("main.lesson").dataset.stepNow) >= 30);
  await page.keyboard.press("Home");
  await at(page, 0);
  for (let press = 0; press < 30; press++) await page.keyboard.down("ArrowRight");
  await page.keyboard.up("ArrowRight");
  await at(page, 30);
});

test("the strip is dragged through the films, and snaps to steps", async (t) => {
  const page = await open(t, LOST.replace("step=0", "step=4"), { size: 1440 });
  await at(page, 4);
  const { x, y, width, height } = await page.locator(".strip .cells").boundingBox();
  const middle = y + height / 2;
  /** Where the run stands: the steps that are over, and the part of the film that is shown. */
  const place = () =>
    page.evaluate(() => {
      const step = Number(document.querySelector("main.stage").dataset.stepNow);
      const [film] = document.getAnimations();
      if (!film) return step;
      return step - 1 + film.currentTime / film.effect.getComputedTiming().duration;
    });
  await page.mouse.move(x + width - 1, middle);
  await page.mouse.down();
  for (const backwards of [true, false]) {
    let last = backwards ? 4.01 : -0.01;
    for (let part = 1; part <= 24; part++) {
      const share = backwards ? 1 - part / 24 : part / 24;
      await page.mouse.move(x + share * width, middle);
      const wanted = share * 4;
      await page.waitForFunction((wanted) => {
        const step = Number(document.querySelector("main.stage").dataset.stepNow);
        const [film] = document.getAnimations();
        const now = film ? step - 1 + film.currentTime / film.effect.getComputedTiming().duration : step;
        return Math.abs(now - wanted) < 0.06;
      }, wanted).catch(async () => assert.fail(`at ${await place()}, not ${wanted}`));
      const now = await place();
      assert.ok(backwards ? now <= last + 0.001 : now >= last - 0.001, `${now} after ${last}`);
      last = now;
    }
  }
  // Let go within a film it goes on to its end.
  await page.mouse.move(x + width * 0.4, middle);
  await page.mouse.up();
  await over(page);
  await at(page, 2);
});

test("the speed is chosen, from a quarter to four times, or instant", async (t) => {
  const page = await open(t, LOST, { size: 1440, before: hold });
  await at(page, 0);
  const speed = (await menu(page)).locator(".speed");
  const names = await speed.locator("option").allInnerTexts();
  assert.deepEqual([names[0], names.at(-2), names.at(-1)], ["0.25×", "4×", "instant"]);
  for (const [number, name] of names.slice(0, -1).entries()) {
    await speed.selectOption({ label: name });
    await speed.blur();
    await page.keyboard.press(number % 2 === 0 ? "ArrowRight" : "ArrowLeft");
    await loaded(page);
    const rate = await page.evaluate(() => Math.abs(document.getAnimations().at(-1).playbackRate));
    assert.equal(rate, parseFloat(name) * (number % 2 === 0 ? 1 : 2), name);
    await finish(page);
    await over(page);
  }
  await speed.selectOption({ label: "instant" });
  await speed.blur();
  await page.keyboard.press("End");
  await at(page, 4);
  await page.keyboard.press("ArrowLeft");
  await at(page, 3);
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
});

test("where no motion is wanted there is none, and what has changed is marked", async (t) => {
  const page = await open(t, LOST, { size: 1440, calm: "that there are no films is what is asked" });
  await at(page, 0);
  for (let step = 1; step <= 4; step++) {
    await page.keyboard.press("ArrowRight");
    await at(page, step);
    assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
    const marked = await page.evaluate(() =>
      [...document.querySelectorAll(".value, .key")].filter((one) => getComputedStyle(one).outlineStyle !== "none").length);
    assert.ok(marked > 0, `step ${step}: nothing is marked`);
  }
});

// Sixteen of the stage, what the line of parts added: its first tab and the button that leads on; and the goal. The link
// past the header is seen only by who comes to it by keyboard.
test("at most twenty controls in the first lesson", async (t) => {
  const page = await open(t, "#lesson=lost-update&mode=schedule", { size: 1440 });
  await at(page, 0);
  const controls = await page.evaluate(() =>
    [...document.querySelectorAll("button, select, a[href], input, [role=slider]")]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(".skip"))
      .map((one) => one.innerText || one.ariaLabel || one.className));
  assert.ok(controls.length <= 20, `${controls.length}: ${controls.join(", ")}`);
});

test("a story hides what is still to come", async (t) => {
  for (const calm of [undefined, "it is hidden where there are no films, too"]) {
    const page = await open(t, "#lesson=lost-update&variant=naive&mode=watch&walk=lost&lang=en", { size: 1440, calm });
    await at(page, 0);
    const seen = () => page.evaluate(() => document.querySelector(".stage .time").innerText
      + [...document.querySelectorAll(".stage .diagram svg text")].map((one) => one.textContent).join(" "));
    assert.doesNotMatch(await seen(), /GET|SET|20/);
    await page.keyboard.press("ArrowRight");
    await at(page, 1);
    await page.waitForFunction(() => document.getAnimations().length === 0);
    assert.match(await seen(), /GET balance/);
    assert.doesNotMatch(await seen(), /SET balance/);
  }
});
