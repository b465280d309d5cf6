// The checker in Chromium, in a worker, as the page has it, on the models of benches/models: states per second, bytes per
// state, all of the memory of the worker's program at its peak, the longest slice of 4,096 states, and the time to the first
// violation. What a reduction is worth is seen beside the same model without it. The page keeps its worker, so the figures are
// those of the second search in one; what the first takes, while the browser still compiles, stands behind.
//
// `.ci/setup wasm wasm-bindgen wasm-opt browser && node benches/checker.mjs`

import { buildExample } from "../tests/browser/example.mjs";
import { browser, close } from "../tests/browser/harness.mjs";

const WORKER = `
  import init, { Check } from "/checker.js";
  onmessage = async ({ data: [name, clients, rounds, early, how] }) => {
    const { memory } = await init();
    const began = performance.now();
    const check = new Check(name, clients, rounds, early, how);
    let [longest, violation] = [0, null];
    for (let more = true; more; ) {
      const slice = performance.now();
      more = check.advance(1 << 12);
      longest = Math.max(longest, performance.now() - slice);
      if (violation === null && check.counts()[3] > 0) violation = performance.now() - began;
    }
    const took = performance.now() - began;
    const counts = [...check.counts()];
    check.free();
    postMessage({ counts, took, longest, violation, peak: memory.buffer.byteLength });
  };
  postMessage("ready");
`;

try {
  const { script, wasm } = buildExample("checker", "search");
  const page = await (await (await browser()).newContext()).newPage();
  const serve = (path, answer) =>
    page.context().route(`http://127.0.0.1:1${path}`, (route) => route.fulfill(answer));
  await serve("/", { contentType: "text/html", body: "<!doctype html><title>bench</title>" });
  await serve("/checker.js", { path: script });
  await serve("/checker_bg.wasm", { path: wasm, contentType: "application/wasm" });
  await serve("/worker.js", { contentType: "text/javascript", body: WORKER });
  await page.goto("http://127.0.0.1:1/");
  for (const model of [
    ["oversell", 4, 2, 0, "plain"],
    ["oversell", 6, 1, 0, "plain"],
    ["oversell", 6, 2, 0, "plain"],
    ["oversell", 6, 2, 0, "symmetry"],
    ["lock", 6, 1, 1, "plain"],
    ["lock", 5, 2, 2, "plain"],
    ["lock", 6, 2, 2, "symmetry"],
    ["commuting", 4, 1, 0, "plain"],
    ["commuting", 4, 1, 0, "partial-order"],
    ["commuting", 4, 1, 0, "symmetry+partial-order"],
  ]) {
    const { counts, took, first, longest, violation, peak } = await page.evaluate(
      (model) =>
        new Promise((resolve, reject) => {
          const worker = new Worker("/worker.js", { type: "module" });
          let first = null;
          worker.onerror = (error) => reject(new Error(error.message));
          worker.onmessage = ({ data }) => {
            if (data === "ready") return worker.postMessage(model);
            if (first === null) {
              first = data.took;
              return worker.postMessage(model);
            }
            worker.terminate();
            resolve({ ...data, first });
          };
        }),
      model,
    );
    const [states, transitions, bytes, steps] = counts;
    const [name, clients, rounds, early, how] = model;
    const found = violation === null ? "none" : `${steps} steps in ${violation.toFixed(0)} ms`;
    console.log(
      `${name} N=${clients} R=${rounds} E=${early} ${how}: ${states} states,` +
        ` ${transitions} transitions, ${(took / 1000).toFixed(3)} s,` +
        ` ${(states / took / 1000).toFixed(2)} M states/s, ${(bytes / states).toFixed(0)} B/state, ${(peak / 1e6).toFixed(0)} MB in all,` +
        ` longest slice ${longest.toFixed(1)} ms, violation: ${found}; at first ${(first / 1000).toFixed(3)} s`,
    );
  }
} finally {
  await close();
}
