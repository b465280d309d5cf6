// Lighthouse over the built page, as phone and as desktop: `.ci/bench lighthouse`. Prints the scores
// and what costs points; fails below the floor. Lighthouse slows the machine down fourfold to be a
// phone, and takes it for a quick one: a slow or busy machine costs points, not the page. So the best
// of TURNS counts, and where Lighthouse's own measure of the machine is below QUICK, the score for
// performance is shown and not judged.
//
// `node benches/lighthouse.mjs FOLDER [ADDRESS…]`, where FOLDER is the one that .ci/setup filled.

import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { findChrome } from "../tests/browser/chrome.mjs";
import { close, serve } from "../tests/browser/harness.mjs";

const FLOOR = 95;
const TURNS = 3;
const QUICK = 1000;
const ADDRESSES = [
  ["the front page", ""],
  ["a lesson", "#lesson=lost-update"],
  ["the playground", "#page=playground"],
];
const CATEGORIES = ["performance", "accessibility", "best-practices"];

const [folder, ...given] = process.argv.slice(2);
const require = createRequire(join(resolve(folder ?? ""), "package.json"));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const { default: lighthouse, desktopConfig } = await load("lighthouse");
const { launch } = await load("chrome-launcher");

const chrome = await launch({
  chromePath: findChrome(),
  chromeFlags: ["--headless=new", "--disable-gpu", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
});
const lost = new Set();
let failed = false;
let busy = false;
try {
  const base = await serve();
  const addresses = given.length > 0 ? given.map((one) => [one || "the front page", one]) : ADDRESSES;
  console.log(`${"".padEnd(26)}${CATEGORIES.map((one) => one.padStart(16)).join("")}   FCP s   LCP s  TBT ms     CLS  machine`);
  for (const [name, address] of addresses) {
    for (const [form, config] of [["phone", undefined], ["desktop", desktopConfig]]) {
      const best = await bestOf(base + address, config);
      const scores = CATEGORIES.map((one) => score(best, one));
      const value = (id) => best.audits[id].numericValue;
      console.log(
        `${name}, ${form}`.padEnd(26) + scores.map((one) => String(one).padStart(16)).join("") +
          (value("first-contentful-paint") / 1000).toFixed(2).padStart(8) +
          (value("largest-contentful-paint") / 1000).toFixed(2).padStart(8) +
          value("total-blocking-time").toFixed(0).padStart(8) +
          value("cumulative-layout-shift").toFixed(3).padStart(8) +
          best.environment.benchmarkIndex.toFixed(0).padStart(9),
      );
      const slow = best.environment.benchmarkIndex < QUICK;
      busy ||= slow && scores[0] < FLOOR;
      failed ||= scores.slice(slow ? 1 : 0).some((one) => one < FLOOR);
    }
  }
} finally {
  await chrome.kill();
  await close();
}
if (lost.size > 0) console.log(`\nWhat costs points:\n  ${[...lost].join("\n  ")}`);
if (busy) console.log(`\nThis machine is below ${QUICK}: too slow or too busy to judge the performance.`);
if (failed) console.log(`\nBelow ${FLOOR}.`);
process.exitCode = failed ? 1 : 0;

function score(report, category) {
  return Math.round((report.categories[category].score ?? 0) * 100);
}

async function bestOf(url, config) {
  let best;
  for (let turn = 0; turn < TURNS; turn++) {
    const options = { port: chrome.port, onlyCategories: CATEGORIES, logLevel: "error" };
    const { lhr } = await lighthouse(url, options, config);
    if (!best || score(lhr, "performance") > score(best, "performance")) best = lhr;
    if (score(best, "performance") >= FLOOR) break;
  }
  for (const category of CATEGORIES) {
    for (const { id, weight } of best.categories[category].auditRefs) {
      const audit = best.audits[id];
      if (weight > 0 && audit.score !== null && audit.score < 0.9) {
        lost.add(`${category}: ${audit.title}${audit.displayValue ? ` (${audit.displayValue})` : ""}`);
      }
    }
  }
  return best;
}
