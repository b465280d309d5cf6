// On paper a lesson is a handout: what is printed is read back from the PDF's own pages.

import assert from "node:assert/strict";
import test from "node:test";
import { open } from "./harness.mjs";

/** What is visible for the printer. */
const printed = async (page) => {
  await page.emulateMedia({ media: "print" });
  return page.evaluate(() => document.body.innerText);
};

const RUN = "#lesson=lost-update&variant=naive&schedule=A1.B1.A2.B2&step=4";

for (const [lang, words] of [
  ["en", { goal: /two/i, broken: "broken at step 4", table: "The same run as a table", keys: "balance", said: "read balance" }],
  ["zh", { goal: /两/, broken: "第 4 步不成立", table: "同一次运行的表格", keys: "balance", said: "读取 balance" }],
]) {
  test(`a run prints as a handout, ${lang}`, async (t) => {
    const page = await open(t, `${RUN}&lang=${lang}`, { theme: "dark" });
    await page.locator('main.lesson[data-step-now="4"]').waitFor();
    const buttons = await page.locator("button").allInnerTexts();
    const text = await printed(page);
    for (const [what, word] of Object.entries(words)) {
      assert.ok(word instanceof RegExp ? word.test(text) : text.includes(word), `${what}: ${text}`);
    }
    const rows = page.locator(".twin tbody tr");
    assert.equal(await rows.count(), 4);
    for (const row of await rows.all()) assert.ok(await row.isVisible());
    assert.match(text, /redis\.call/, "the programs");
    assert.ok(await page.locator(".drawing svg").isVisible(), "the run as a picture");
    assert.equal(await page.locator("button, select, input").filter({ visible: true }).count(), 0);
    assert.ok(buttons.length > 0, "there were some to hide");
    const light = await page.evaluate(() => {
      const probe = document.createElement("i");
      probe.style.color = "var(--ink)";
      document.body.append(probe);
      return getComputedStyle(probe).color;
    });
    assert.equal(light, "rgb(29, 35, 39)", "dark type in the dark theme, too");
  });
}

test("what is printed in the middle of a run has the verdicts of its end", async (t) => {
  const page = await open(t, `${RUN.replace("step=4", "step=1")}&lang=en`);
  await page.locator('main.lesson[data-step-now="1"]').waitFor();
  assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /broken at step 4/);
  assert.match(await printed(page), /At the end of the run[^]*balance = 30[^]*broken at step 4/);
});

test("nothing is cut at the paper's edge, and no step is torn by the end of a page", async (t) => {
  // Many steps, so that there are several pages.
  const page = await open(t, "#lesson=redlock&mode=watch");
  await page.locator("main.lesson").waitFor();
  // A4 between its margins, in CSS pixels.
  await page.setViewportSize({ width: 688, height: 1000 });
  await page.emulateMedia({ media: "print" });
  const wide = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    paper: document.documentElement.clientWidth,
  }));
  assert.ok(wide.content <= wide.paper, JSON.stringify(wide));
  const torn = await page.locator(".twin tr, .key, .verdict").evaluateAll((all) =>
    all.filter((one) => getComputedStyle(one).breakInside !== "avoid").map((one) => one.className),
  );
  assert.deepEqual(torn, []);
  const pdf = await page.pdf({ format: "A4", preferCSSPageSize: true });
  const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  assert.ok(pages >= 1 && pages <= 6, `${pages} pages`);
});

for (const mode of ["break", "find", "fix", "crowd", "review"]) {
  test(`${mode} prints without controls`, async (t) => {
    const lesson = mode === "crowd" ? "watch" : "lost-update";
    const page = await open(t, `#lesson=${lesson}&mode=${mode}&crowd=seeds:3,clients:20`);
    await page.locator("main").waitFor();
    if (mode === "crowd") {
      await page.locator('[data-run="crowd"]').click();
      await page.locator('main.crowd[data-running="false"] .histogram').first().waitFor();
    }
    const text = await printed(page);
    assert.ok(text.length > 100, text);
    assert.equal(await page.locator("button, select, input").filter({ visible: true }).count(), 0);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${wide} px stick out`);
  });
}
