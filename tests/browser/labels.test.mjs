// What is written stands whole in its place: step buttons in every variant of every lesson, the Situation from its
// top, a long program on demand, a quorum's tally, the list of what is done.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { drawn, open, ROOT, SIZES } from "./harness.mjs";

const STILL = "what is laid out is measured, not its film";

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

/**
 * In English and in Chinese where there is most on a button; and in low windows, where a letter stands for the name.
 * A phone that lies has no room for the longest keys: their ends stand in the button's title.
 */
for (const [language, first, ...others] of [["en", 1280, 800], ["zh", 1280], ["zh", 667]]) {
  const sizes = [first, ...others];
  test(`no step button lacks its letter or is cut, nor is a column, in any lesson (${sizes.join(" and ")} px, ${language})`, async (t) => {
    const page = await open(t, "", { size: first, language, calm: STILL });
    const cut = [];
    const nameless = [];
    const narrow = [];
    let seen = 0;
    for (const { id, variants } of LESSONS) {
      for (const variant of variants) {
        await go(page, `#lesson=${id}&variant=${variant}&mode=schedule`);
        await page.locator(".dock .step").first().waitFor();
        await page.locator(".diagram svg").waitFor();
        for (const size of sizes) {
          if (others.length > 0) {
            await page.setViewportSize(SIZES[size]);
            await drawn(page);
          }
          const [width, room] = await page.evaluate(() =>
            [".diagram svg", ".diagram"].map((one) => document.querySelector(one).getBoundingClientRect().width));
          // At 800×500 a diagram of five instances scrolls.
          if (size !== 800 && width > room + 1) narrow.push(`${id}, ${variant}: ${width} px in ${room}`);
          const buttons = await page.evaluate(() => {
            const over = (one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight;
            return [...document.querySelectorAll(".dock .step")].map((one) => {
              const letter = one.querySelector(".who b");
              const size = letter && parseFloat(getComputedStyle(letter).fontSize);
              const named = !one.dataset.client || letter.textContent === one.dataset.client && size >= 12;
              return [one.textContent, [one, one.querySelector("code")].some(over), named];
            });
          });
          seen += buttons.length;
          const here = ([words]) => `${id}, ${variant}, ${size} px: ${words}`;
          if (size !== 667) cut.push(...buttons.filter(([, is]) => is).map(here));
          nameless.push(...buttons.filter(([, , named]) => !named).map(here));
        }
      }
    }
    assert.ok(seen > 100, `${seen} buttons`);
    assert.deepEqual(cut, [], `${cut.length} of ${seen}`);
    assert.deepEqual(nameless, []);
    assert.deepEqual(narrow, [], "the diagram's last column is cut");
  });
}

test("the first paragraph of a Situation can be scrolled into view", async (t) => {
  for (const size of [1440, 1280]) {
    const page = await open(t, "", { size, calm: STILL });
    for (const { id } of LESSONS) {
      await go(page, `#lesson=${id}&mode=situation`);
      const first = page.locator("main.situation p, main.guide p").first();
      await first.waitFor();
      const above = await page.evaluate(() => {
        const main = document.querySelector("main");
        main.scrollTo(0, 0);
        scrollTo(0, 0);
        const top = (one) => one.getBoundingClientRect().top;
        const parts = [...main.querySelectorAll("p, figure")];
        return Math.min(...parts.map(top)) - Math.max(0, top(main));
      });
      assert.ok(above >= 0, `${size}, ${id}: ${-above} px are above the top`);
    }
  }
});

for (const [size, language, words] of [[1280, "en", "Show all 23 lines"], [390, "zh", "显示全部 23 行"]]) {
  test(`a long program is folded, and unfolds, at ${size} px`, async (t) => {
    const page = await open(t, "#lesson=watchdog&mode=situation", { size, language, calm: STILL });
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
  const page = await open(t, "", { size: 1280, calm: STILL });
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
    const page = await open(t, "", { size: 1280, language, calm: STILL });
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
    const page = await open(t, "", { size, calm: STILL });
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

test("the marks of what is done stand in one row", async (t) => {
  const page = await open(t, "#lesson=lost-update&mode=watch", { size: 1440, calm: STILL });
  await page.keyboard.press("End");
  await go(page, "#lesson=lost-update&mode=break");
  for (const client of "ABAB") await page.locator(`.dock [data-client="${client}"]`).click();
  await go(page, "#lesson=lost-update&mode=review");
  const marks = page.locator(".so-far li");
  await marks.nth(1).waitFor();
  const tops = await marks.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  assert.equal(new Set(tops).size, 1, `${tops}`);
});
