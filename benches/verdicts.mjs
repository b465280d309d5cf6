// How long a reader waits for the answer of each variant of each lesson: from the press of Find to its end, in Chromium, the
// worker at hand. The goal is 2 s.
//
//   node benches/verdicts.mjs [LESSON…]    (against the page in dist/)

import { readdirSync, readFileSync } from "node:fs";

import { close, openUnchecked, ROOT } from "../tests/browser/harness.mjs";

const GOAL = 2_000; // ms
const WAIT_MAX = 120_000; // ms

const asked = process.argv.slice(2);
const folder = `${ROOT}/dist/lessons`;
const lessons = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8")))
  .filter((one) => one.variants?.length && (!asked.length || asked.includes(one.id)));

const found = [];
try {
  for (const { id, variants } of lessons) {
    const page = await openUnchecked(`#lesson=${id}&mode=find&variant=${variants[0].id}`);
    // The worker is started when the page is idle.
    await page.waitForTimeout(3_000);
    for (const variant of variants) {
      await page.evaluate((at) => (location.hash = at), `lesson=${id}&mode=find&variant=${variant.id}`);
      await page.waitForFunction((name) => location.hash.includes(`variant=${name}`), variant.id);
      const start = page.locator("main.find.before button.search");
      await start.waitFor();
      const took = await page.evaluate(async (most) => {
        const began = performance.now();
        document.querySelector("main.find button.search").click();
        const frame = () => new Promise((done) => requestAnimationFrame(done));
        do await frame();
        while (document.querySelector("main.find").dataset.running !== "false" && performance.now() - began < most);
        return performance.now() - began;
      }, WAIT_MAX);
      found.push({ name: `${id}/${variant.id}`, took, states: variant.states });
    }
    await page.context().close();
  }
} finally {
  await close();
}
found.sort((a, b) => b.took - a.took);
const ms = (value) => `${Math.round(value)} ms`.padStart(9);
console.log("The ten slowest:");
for (const { name, took, states } of found.slice(0, 10)) {
  console.log(`${ms(took)}  ${name} (${states.toLocaleString("en-GB")} states)`);
}
const late = found.filter(({ took }) => took > GOAL).length;
console.log(`\n${found.length} variants, median${ms(found[found.length >> 1]?.took ?? 0)}, ${late} over ${GOAL} ms`);
console.log(`Goal: every variant within ${GOAL} ms: ${late ? "NOT MET" : "met"}.`);
