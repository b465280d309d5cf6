// Writes which functions of the page's program no first visit runs: src/check/split/unused.txt, by
// which `check split` divides it. To be run after `make build` when a first visit has changed, or when
// `make size` has grown without need: `make record` does it, and builds again.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { close, openUnchecked, ROOT } from "./harness.mjs";
import { VISITS, WANDERINGS } from "./visits.mjs";

const LIST = join(ROOT, "src/check/split/unused.txt");
const HEAD = `# Functions that no first visit runs. Written by tests/browser/record.mjs.\n`;

const target = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target");
const check = join(target, `debug/check${process.platform === "win32" ? ".exe" : ""}`);
const folder = execFileSync(check, ["split", "--record", "app"], { cwd: ROOT, encoding: "utf8" })
  .trim();
const file = (name) => readFileSync(join(folder, name), "utf8");
const stem = file("stem");
const [base, ...names] = file("functions.txt").split("\n");

const ran = new Uint8Array(names.length);

/** Puts the page in as it was before it was divided, with the program that marks what runs. */
async function whole(page) {
  const answers = {
    "index.html": { path: join(folder, "whole.html"), contentType: "text/html" },
    [`${stem}.js`]: { path: join(folder, "whole.js"), contentType: "text/javascript" },
    [`${stem}_bg.wasm`]: { path: join(folder, "marked.wasm"), contentType: "application/wasm" },
  };
  await page.route("**/*", (route) => {
    const name = new URL(route.request().url()).pathname.split("/").pop() || "index.html";
    return name in answers ? route.fulfill(answers[name]) : route.continue();
  });
  await page.addInitScript(() => {
    addEventListener("TrunkApplicationStarted", (event) => (window.program = event.detail.wasm));
    // As if the later part were still on its way: see loader.js.
    addEventListener("DOMContentLoaded", () => (document.documentElement.dataset.later = "coming"));
  });
}

/** What comes first of two things is a matter of speed: so many times slower than this machine. */
const SPEEDS = [1, 6];

const slowed = (slower) => async (page) => {
  await whole(page);
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
};

for (const [[name, visit], slower] of [...VISITS, ...WANDERINGS].flatMap((one) => SPEEDS.map((by) => [one, by]))) {
  const page = await visit((address, options) =>
    openUnchecked(address, { ...options, before: slowed(slower) }));
  // The keeper of the offline copy speaks when it has time, which may be before the page listens.
  await page.evaluate(() => {
    document.documentElement.dataset.offline = "kept";
    dispatchEvent(new MessageEvent("interleave-offline", { data: "kept" }));
  });
  await page.evaluate(() => new Promise(requestAnimationFrame));
  const marks = await page.evaluate(
    ([base, count]) => Array.from(new Uint8Array(window.program.memory.buffer, base, count)),
    [Number(base), names.length],
  );
  marks.forEach((mark, index) => (ran[index] |= mark));
  console.log(`${ran.reduce((sum, one) => sum + one, 0)} of ${names.length} functions ran after: ${name}, ${slower} times slower`);
  await page.context().close();
}
await close();

// What hash tables and the allocator run is a matter of chance. Where several functions have one
// name, none of them may have run.
const CHANCE = /hashbrown|dlmalloc/;
const used = new Set(names.filter((_, index) => ran[index]));
const unused = [...new Set(names)]
  .filter((name) => name !== "" && !used.has(name) && !CHANCE.test(name)).sort();
writeFileSync(LIST, HEAD + unused.map((name) => `${name}\n`).join(""));
console.log(`${unused.length} names in ${LIST}`);
