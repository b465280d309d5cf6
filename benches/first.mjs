// What a slow visitor waits for: when the first button is there, how long a press takes until the page has
// changed, what had been loaded by then, which presses had to wait, and when the page is whole. For the front
// page, the first lesson, one far from it, and an embed.
//
//   node benches/first.mjs [FOLDER…]     (default: dist; several builds are measured in turns; RUNS=3)

import { resolve } from "node:path";
import { browser, close, serve, SIZES, slowDown } from "../tests/browser/harness.mjs";

const RUNS = Number(process.env.RUNS ?? 3);
const FOLDERS = process.argv.length > 2 ? process.argv.slice(2) : ["dist"];
const PAGES = {
  "front page": ["", 3.0],
  "lost-update": ["#lesson=lost-update&mode=schedule", 3.0],
  "redlock": ["#lesson=redlock&mode=schedule", 3.5],
  "embed of oversell": ["?embed#lesson=oversell&mode=schedule", 3.5],
};
const PRESSES = 6;

/** In the page: presses the first step button that is there, six times, and notes when what happened. */
const watch = ([presses, bar]) => {
  const found = (window.found = { button: 0, presses: [], whole: 0 });
  const after = (ms) => new Promise((done) => setTimeout(done, ms));
  const picture = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  // Between the picture in the page's HTML and the program's own there is none for a moment.
  const step = () => document.querySelector("[data-step-now]")?.dataset.stepNow;
  const button = () =>
    [...document.querySelectorAll("button[data-client]")].find((one) =>
      one.closest(bar) && one.checkVisibility() && one.ariaDisabled !== "true" && !one.disabled);
  const whole = setInterval(() => {
    // Before the first picture the mark is not set yet.
    if (step() === undefined || document.documentElement.dataset.later) return;
    found.whole = performance.now();
    clearInterval(whole);
  }, 20);
  (async () => {
    while (!button()) await after(10);
    found.button = performance.now();
    found.pressing = true;
    for (let press = 0; press < presses; press++) {
      await after(300);
      const one = button();
      if (!one) break;
      const before = step();
      const began = performance.now();
      one.click();
      while ((step() ?? before) === before) await picture();
      await picture();
      found.presses.push(performance.now() - began);
    }
    found.done = true;
  })();
};

async function measure(folder, address) {
  const { width, height } = SIZES[1280];
  const context = await (await browser()).newContext({ viewport: { width, height }, serviceWorkers: "block" });
  const page = await context.newPage();
  await slowDown(page);
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.dataReceived", ({ encodedDataLength }) => (bytes += encodedDataLength));
  // While a link to a lesson is read, the HTML has the front page's buttons for a moment.
  await page.addInitScript(watch, [PRESSES, address ? ".in-lesson > .dock" : ".front"]);
  const base = await serve("/", resolve(folder));
  const isEmbed = address.startsWith("?embed");
  // An embed stands in a course page.
  const body = `<!doctype html><title>A course</title><iframe src="${base}${address}" width="1000" height="700"></iframe>`;
  await page.route("**/course.html", (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto(base + (isEmbed ? "course.html" : address), { waitUntil: "commit", timeout: 120_000 });
  while (isEmbed && !page.frames()[1]?.url().startsWith(base)) await page.waitForTimeout(5);
  const frame = page.frames().at(-1);
  await frame.waitForFunction(() => window.found?.pressing, undefined, { timeout: 120_000, polling: 20 });
  const atButton = bytes;
  await frame.waitForFunction(() => window.found.done && window.found.whole > 0, undefined, { timeout: 120_000 });
  const found = await frame.evaluate(() => ({
    ...window.found,
    waited: ["later-held", "later-waited", "later-missed"].reduce((sum, name) => sum + performance.getEntriesByName(name).length, 0),
  }));
  await context.close();
  return { ...found, bytes: atButton };
}

const middle = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;

for (const [name, [address, goal]] of Object.entries(PAGES)) {
  const runs = Object.fromEntries(FOLDERS.map((folder) => [folder, []]));
  for (let run = 0; run < RUNS; run++) {
    for (const folder of FOLDERS) runs[folder].push(await measure(folder, address));
  }
  console.log(`\n${name} (goal: button ${goal.toFixed(1)} s, press 100 ms, whole 6.5 s)`);
  for (const [folder, all] of Object.entries(runs)) {
    const of = (value) => middle(all.map(value));
    const presses = Array.from({ length: PRESSES }, (_, at) => of((one) => one.presses[at] ?? NaN).toFixed(0));
    console.log(`  ${folder}: button ${seconds(of((one) => one.button))} with ${(of((one) => one.bytes) / 1000).toFixed(0)} KB, ` +
      `presses ${presses.join(" ")} ms, ${of((one) => one.waited)} waited, whole ${seconds(of((one) => one.whole))}`);
  }
}
await close();
