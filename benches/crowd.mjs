// Crowds in Chromium, in a worker, compiled as the page has the checker: requests, commands and events per second, and how
// long 1,000 clients × 100 requests × 20 seeds would take.
//
// With a built page also that, in the page itself: 1,000 clients × 100 requests × 20 seeds, in as many workers as it takes.
//
// `.ci/setup wasm wasm-bindgen wasm-opt browser && node benches/crowd.mjs`

import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildExample } from "../tests/browser/example.mjs";
import { browser, close, openUnchecked, ROOT } from "../tests/browser/harness.mjs";

const GOAL = 1_000 * 100 * 20;

const WORKER = `
  import init, { Runs } from "/crowd.js";
  onmessage = async ({ data: [name, plan, seeds] }) => {
    await init();
    const began = performance.now();
    const runs = new Runs(name, plan, seeds);
    let longest = 0;
    for (let over = false; !over; ) {
      const slice = performance.now();
      over = runs.advance(1 << 13);
      longest = Math.max(longest, performance.now() - slice);
    }
    postMessage({ counts: [...runs.counts()], took: performance.now() - began, longest });
  };
  postMessage("ready");
`;

try {
  const { script, wasm } = buildExample("crowd", "search");
  const page = await (await (await browser()).newContext()).newPage();
  const serve = (path, answer) =>
    page.context().route(`http://127.0.0.1:1${path}`, (route) => route.fulfill(answer));
  await serve("/", { contentType: "text/html", body: "<!doctype html><title>bench</title>" });
  await serve("/crowd.js", { path: script });
  await serve("/crowd_bg.wasm", { path: wasm, contentType: "application/wasm" });
  await serve("/worker.js", { contentType: "text/javascript", body: WORKER });
  await page.goto("http://127.0.0.1:1/");
  for (const job of [
    ["oversell", "clients=1000,requests=20", 5],
    ["script", "clients=1000,requests=20", 5],
    ["synchronized", "clients=1000,requests=20,processes=3", 5],
  ]) {
    const { counts, took, longest } = await page.evaluate(
      (job) =>
        new Promise((resolve, reject) => {
          const worker = new Worker("/worker.js", { type: "module" });
          worker.onerror = (error) => reject(new Error(error.message));
          worker.onmessage = ({ data }) => {
            if (data === "ready") return worker.postMessage(job);
            worker.terminate();
            resolve(data);
          };
        }),
      job,
    );
    const [requests, commands, events] = counts.map((count) => (count * 1_000) / took);
    const round = (number) => Math.round(number).toLocaleString("en");
    console.log(
      `${job[0].padEnd(13)} ${round(requests)} requests/s, ${round(commands)} commands/s, ${round(events)} events/s; ` +
        `slice ≤ ${longest.toFixed(0)} ms; ${round(GOAL)} requests in ${(GOAL / requests).toFixed(1)} s`,
    );
  }
  if (existsSync(join(ROOT, "dist/index.html"))) await inPage();
} finally {
  await close();
}

async function inPage() {
  const seeds = 20;
  const page = await openUnchecked(`#lesson=oversell&mode=crowd&crowd=clients:1000,requests:100,seeds:${seeds},variants:lua`);
  await page.locator('[data-run="crowd"]').click();
  await page.locator('main.crowd[data-running="false"] .crowd-state .said').waitFor({ timeout: 300_000 });
  const said = await page.locator(".crowd-state .said").innerText();
  const seconds = Number(/in ([0-9.]+) s/.exec(said)[1]);
  const [workers, cores] = [page.workers().length, await page.evaluate(() => navigator.hardwareConcurrency)];
  const rate = Math.round(GOAL / seconds);
  console.log(
    `in the page   ${rate.toLocaleString("en")} requests/s, ${workers} workers on ${cores} cores; ` +
      `${GOAL.toLocaleString("en")} requests in ${seconds.toFixed(1)} s`,
  );
}
