// What is written stands whole in its place: step buttons in every variant of every lesson, the Situation from its
// top, a long program on demand, a quorum's tally, the list of what is done.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { open, ROOT, visited } from "./harness.mjs";

const STILL = { calm: "what is laid out is measured, not its film", unpainted: "places and words are asked of the page" };

/** Every lesson: its id, and those of its variants. */
const LESSONS = readdirSync(join(ROOT, "static/lessons"), { withFileTypes: true })
  .filter((one) => one.isDirectory())
  .map(({ name }) => {
    const text = readFileSync(join(ROOT, "static/lessons", name, "lesson.toml"), "utf8");
    const variants = text.split(/^\[\[/m).filter((part) => part.startsWith("variant]]"));
    return { id: name, variants: variants.map((part) => /^id = "([^"]+)"/m.exec(part)[1]) };
  })
  .filter(({ variants }) => variants.length > 0);

/** Goes to a part of a lesson, and waits until it is there: the page adds its language to the address. */
async function go(page, hash) {
  await page.evaluate((hash) => { location.hash = hash; }, hash);
  await page.waitForFunction(() => location.hash.includes("&lang=") && !document.querySelector("main.loading"));
}

/** Of what is laid out: the width of the diagram and of its pane; each step button, whether it is cut, and has its letter. */
const laidOut = () => {
  const over = (one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight;
  const buttons = [...document.querySelectorAll(".dock .step")].map((one) => {
    const letter = one.querySelector(".who b");
    const size = letter && parseFloat(getComputedStyle(letter).fontSize);
    const named = !one.dataset.client || letter.textContent === one.dataset.client && size >= 12;
    return { words: one.textContent, cut: [one, one.querySelector("code")].some(over), named };
  });
  const [width, room] = [".diagram svg", ".diagram"].map((one) => document.querySelector(one).getBoundingClientRect().width);
  return { width, room, buttons };
};

/**
 * In English and in Chinese where there is most on a button; and in low windows, where a letter stands for the name.
 * A phone that lies has no room for the longest keys: their ends stand in the button's title.
 */
for (const [size, language] of [[1280, "en"], [800, "en"], [1280, "zh"], [667, "zh"]]) {
  test(`no step button lacks its letter or is cut, nor is a column, in any lesson (${size} px, ${language})`, async (t) => {
    const page = await open(t, "", { size, language, ...STILL });
    const places = LESSONS.flatMap(({ id, variants }) => variants.map((variant) => [id, variant]));
    const addresses = places.map(([id, variant]) => `#lesson=${id}&variant=${variant}&mode=schedule`);
    const found = await visited(page, addresses, [".dock .step", ".diagram svg"], laidOut);
    const narrow = [];
    const buttons = [];
    for (const [at, { width, room, buttons: here }] of found.entries()) {
      const place = places[at].join(", ");
      // At 800×500 a diagram of five instances scrolls.
      if (size !== 800 && width > room + 1) narrow.push(`${place}: ${width} px in ${room}`);
      buttons.push(...here.map((one) => ({ ...one, words: `${place}: ${one.words}` })));
    }
    const those = (fault) => buttons.filter(fault).map(({ words }) => words);
    assert.ok(buttons.length > 100, `${buttons.length} buttons`);
    if (size !== 667) assert.deepEqual(those(({ cut }) => cut), [], `of ${buttons.length}`);
    assert.deepEqual(those(({ named }) => !named), []);
    assert.deepEqual(narrow, [], "the diagram's last column is cut");
  });
}

test("the first paragraph of a Situation can be scrolled into view", async (t) => {
  for (const size of [1440, 1280]) {
    const page = await open(t, "", { size, ...STILL });
    const addresses = LESSONS.map(({ id }) => `#lesson=${id}&mode=situation`);
    const above = await visited(page, addresses, [":is(main.situation, main.guide) p"], () => {
      const main = document.querySelector("main");
      main.scrollTo(0, 0);
      scrollTo(0, 0);
      const top = (one) => one.getBoundingClientRect().top;
      const parts = [...main.querySelectorAll("p, figure")];
      return Math.min(...parts.map(top)) - Math.max(0, top(main));
    });
    assert.deepEqual(LESSONS.flatMap(({ id }, at) => (above[at] >= 0 ? [] : `${id}: ${-above[at]} px`)), [], `${size}: above the top`);
  }
});

for (const [size, language, words] of [[1280, "en", "Show all 23 lines"], [390, "zh", "显示全部 23 行"]]) {
  test(`a long program is folded, and unfolds, at ${size} px`, async (t) => {
    const page = await open(t, "#lesson=watchdog&mode=situation", { size, language, ...STILL });
    const figure = page.locator(".programs-shown figure", { has: page.locator("details") }).first();
    const lines = () => figure.locator("li:visible").count();
    const all = await figure.locator("li").count();
    const button = figure.locator("summary");
    assert.equal(await lines(), 12);
    assert.equal(await button.innerText(), words.replace("23", all));
    if (size === 390) {
      await button.tap();
    } else {
      await button.focus();
      await page.keyboard.press("Enter");
    }
    assert.equal(await lines(), all);
    await button.click();
    assert.equal(await lines(), 12);
  });
}

test("a quorum's tally is in sight at 1280×720, before the instances", async (t) => {
  const page = await open(t, "", { size: 1280, ...STILL });
  for (const lesson of ["redlock", "redlock-limits"]) {
    await go(page, `#lesson=${lesson}&mode=watch`);
    await page.locator(".gauge.quorum").waitFor();
    const [tally, pane, first] = await page.evaluate(() =>
      [".gauge.quorum", ".redis", ".inst"].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
    assert.ok(tally.top >= pane.top && tally.bottom <= pane.bottom, `${lesson}: in the panel`);
    assert.ok(tally.bottom <= first.top, `${lesson}: before the instances`);
  }
});

test("a time to live is in sight at 1280×720, also under a question", async (t) => {
  for (const language of ["en", "zh"]) {
    const page = await open(t, "", { size: 1280, language, ...STILL });
    for (const [lesson, step] of [["lost-expiry", 1], ["lease-too-short", 8]]) {
      await go(page, `#lesson=${lesson}&mode=watch&step=${step}`);
      await page.locator(".ask").waitFor();
      const [gauge, pane] = await page.evaluate(() =>
        [".gauge.ttl", ".redis"].map((one) => document.querySelector(one).getBoundingClientRect().bottom));
      assert.ok(gauge <= pane, `${lesson}, ${language}: ${gauge} px in ${pane}`);
    }
  }
});

test("on a phone an instance's name, and that it is down, lie beside its slot", async (t) => {
  for (const size of [390, 360]) {
    const page = await open(t, "", { size, ...STILL });
    for (const [lesson, words] of [["redlock&variant=redlock", "r3 down"], ["redlock-limits", "store"]]) {
      await go(page, `#lesson=${lesson}&mode=watch&step=1`);
      await page.locator(".inst h3", { hasText: words.slice(0, 2) }).waitFor();
      const over = await page.evaluate(() =>
        [...document.querySelectorAll(".inst")].flatMap((one) => {
          const name = document.createRange();
          name.selectNodeContents(one.querySelector("h3"));
          const box = name.getBoundingClientRect();
          const drawn = [...one.querySelectorAll(".inbox, .slot")].filter((part) => {
            const { visibility, borderTopColor } = getComputedStyle(part);
            return visibility === "visible" && borderTopColor !== "rgba(0, 0, 0, 0)";
          });
          return drawn.map((part) => part.getBoundingClientRect()).filter((part) => part.left < box.right && part.top < box.bottom)
            .map(() => one.querySelector("h3").innerText);
        }));
      assert.deepEqual(over, [], `${lesson}, ${size} px`);
    }
  }
});

test("on a phone the members of a long set stay in their card, and the card in the window", async (t) => {
  for (const [size, story] of [[390, "multi&mode=watch&walk=refused-again&step=13"], [360, "add-then-count&mode=watch&step=4"]]) {
    const page = await open(t, "", { size, ...STILL });
    await go(page, `#lesson=sliding-window&variant=${story}`);
    const card = page.locator(".key", { hasText: "hits" });
    const [key, members] = await card.evaluate((one) => [one, one.querySelector(".members")].map((part) => part.getBoundingClientRect().right));
    assert.ok(members <= key && key <= size, `${members} px of ${key} in ${size}`);
  }
});

test("on a phone the task of Break it leaves the program in sight, and no button lies on another", async (t) => {
  for (const [width, height] of [[360, 640], [667, 375], [568, 320]]) {
    const page = await open(t, "", { size: { width, height, touch: true }, ...STILL });
    for (const lesson of ["cache-aside", "flash-sale", "hot-key", "job-queue", "setnx-lock"]) {
      await go(page, `#lesson=${lesson}&mode=break`);
      await page.locator(".say.dared h3").waitFor();
      const [lines, over] = await page.evaluate(() => {
        const box = (one) => one.getBoundingClientRect();
        const code = document.querySelector(".listing.open .lines");
        const seen = Math.min(box(code).bottom, box(document.querySelector(".saying")).top) - box(code).top;
        const buttons = [...document.querySelectorAll(".dock :is(button.step, button.go, [data-move]), .dock .strip")].filter((one) => one.checkVisibility());
        const pairs = buttons.flatMap((one, at) => buttons.slice(at + 1).filter((other) => !one.contains(other) && !other.contains(one)).map((other) => [one, other]));
        const lie = pairs.filter(([one, other]) => {
          const [a, b] = [box(one), box(other)];
          return Math.min(a.right, b.right) > Math.max(a.left, b.left) + 1 && Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top) + 1;
        });
        return [seen / parseFloat(getComputedStyle(code.querySelector("li")).lineHeight), lie.map((two) => two.map((one) => one.innerText).join(" on "))];
      });
      assert.ok(lines > 2.9, `${lesson}, ${width} px: ${lines} lines`);
      assert.deepEqual(over, [], `${lesson}, ${width} px`);
    }
  }
});

test("on a phone five buttons are whole and have two lines at most", async (t) => {
  for (const [width, height] of [[568, 320], [667, 375], [390, 664]]) {
    const page = await open(t, "#lesson=watchdog&mode=break", { size: { width, height, touch: true }, ...STILL });
    await page.locator(".dock [data-move=faults]").waitFor();
    const [over, lines] = await page.evaluate(() => {
      const steps = document.querySelector(".dock .steps");
      const high = (one) => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight);
      return [steps.scrollWidth - steps.clientWidth, [...steps.querySelectorAll("code")].map(high)];
    });
    assert.ok(over <= 0, `${width} px: ${over} px do not fit`);
    assert.ok(lines.length === 4 && lines.every((count) => count < 2.1), `${width} px: ${lines}`);
  }
});

test("the marks of what is done stand in one row", async (t) => {
  const page = await open(t, "#lesson=lost-update&mode=watch", { size: 1440, ...STILL });
  await page.keyboard.press("End");
  await go(page, "#lesson=lost-update&mode=break");
  for (const client of "ABAB") await page.locator(`.dock [data-client="${client}"]`).click();
  await go(page, "#lesson=lost-update&mode=review");
  const marks = page.locator(".so-far li");
  await marks.nth(1).waitFor();
  const tops = await marks.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  assert.equal(new Set(tops).size, 1, `${tops}`);
});
