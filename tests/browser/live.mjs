// How long it takes from the last key in the playground to the new verdict and to its map, for every example:
// `node tests/browser/live.mjs [ROUNDS]`, against the page in dist/.
import { close, openUnchecked } from "./harness.mjs";
const rounds = Number(process.argv[2] ?? 5);
const page = await openUnchecked("#page=playground&lang=en");
await page.locator(".own-live[data-map]").waitFor();
await page.evaluate(() => {
  globalThis.last = 0;
  document.addEventListener("input", () => { last = performance.now(); globalThis.got = {}; }, true);
  const live = () => document.querySelector(".own-live");
  new MutationObserver(() => {
    const at = performance.now();
    const { search, map } = live()?.dataset ?? {};
    if (search && !got.verdict) got.verdict = at - last;
    if (map && !got.map) got.map = at - last;
    if (!search) delete got.verdict;
    if (!map) delete got.map;
  }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["data-search", "data-map"] });
  globalThis.got = {};
  globalThis.long = 0;
  new PerformanceObserver((list) => { for (const e of list.getEntries()) long = Math.max(long, e.duration); }).observe({ type: "longtask" });
});
const area = page.locator(".own .editor textarea");
const median = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
await page.locator('[data-own="examples"]').click();
const buttons = page.locator(".own-examples button");
await buttons.first().waitFor();
const count = await buttons.count();
for (let number = 0; number < count; number++) {
  if (number > 0) await page.locator('[data-own="examples"]').click();
  const title = await buttons.nth(number).locator("b").innerText();
  await buttons.nth(number).click();
  await page.locator(".own-live[data-map]").waitFor({ timeout: 60_000 });
  const verdicts = [], maps = [];
  await page.evaluate(() => { long = 0; });
  for (let round = 0; round < rounds; round++) {
    await area.focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(round === 0 ? "\n-- and so on" : "x", { delay: 30 });
    await page.waitForFunction(() => got.verdict && got.map, null, { timeout: 60_000, polling: 50 });
    const got = await page.evaluate(() => globalThis.got);
    verdicts.push(got.verdict); maps.push(got.map);
  }
  const states = await page.locator(".own-map small").allInnerTexts();
  const long = await page.evaluate(() => long);
  console.log(`${title.padEnd(38)} verdict ${median(verdicts).toFixed(0).padStart(5)} ms (most ${Math.max(...verdicts).toFixed(0)}), map ${median(maps).toFixed(0).padStart(5)} ms, ${states.join()}, longest task ${long.toFixed(0)} ms`);
}
console.log(page.problems);
await close();
