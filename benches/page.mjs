// The page in Chromium: what a step costs in a long run, what it touches, whether memory stays flat, how soon
// the first lesson can be stepped, and how soon Find shows a counterexample. Times are of the browser's own
// tracing; medians and 95th percentiles.
//
// `make build && node benches/page.mjs`. CLIENTS=8 STEPS=500 SAMPLES=40 INPUTS=10000 LOADS=7 are the defaults;
// SAMPLES=0, INPUTS=0 and LOADS=0 leave a part out.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { browser, close, openUnchecked, ROOT, serve, SIZES } from "../tests/browser/harness.mjs";

const number = (name, otherwise) => Number(process.env[name] ?? otherwise);
const [CLIENTS, STEPS] = [number("CLIENTS", 8), number("STEPS", 500)];
const [INPUTS, LOADS] = [number("INPUTS", 10_000), number("LOADS", 7)];
/** Steps measured at each place. */
const SAMPLES = number("SAMPLES", 40);

const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const quantile = (numbers, q) => sorted(numbers)[Math.min(numbers.length - 1, Math.floor(numbers.length * q))] ?? NaN;
const both = (numbers) => `${quantile(numbers, 0.5).toFixed(2).padStart(7)} ${quantile(numbers, 0.95).toFixed(2).padStart(7)}`;

/** A lesson with one variant: so many clients that read, compute and write for a long time. */
function longLesson() {
  const lesson = JSON.parse(readFileSync(join(ROOT, "dist/lessons/lost-update.json"), "utf8"));
  const source =
    'for round = 1, 200 do\n  local n = tonumber(redis.call("GET", "balance"))\n' +
    '  local sum = n + round\n  redis.call("SET", "balance", sum)\nend\n';
  lesson.programs = [{ file: "rounds.lua", source }];
  const variant = { ...lesson.variants[0], clients: Array(CLIENTS).fill(0), roles: [], states: null };
  Object.assign(lesson, { variants: [variant], walks: [], challenge: null, exercise: null, quizzes: [] });
  return Object.assign(lesson, { lenses: [], flows: [] });
}

/** Opens the long run at its end. */
async function openLong() {
  // What the page's program has of memory is told to nobody else.
  const before = (page) => page.addInitScript(() => {
    const { instantiateStreaming } = WebAssembly;
    WebAssembly.instantiateStreaming = async (...given) => {
      const made = await instantiateStreaming(...given);
      window.wasmMemory ??= made.instance.exports.memory;
      return made;
    };
  });
  const page = await openUnchecked("", { size: 1440, before });
  await page.route("**/lessons/lost-update.json", (route) => route.fulfill({ json: longLesson() }));
  const tokens = [];
  const turns = Array(CLIENTS).fill(0);
  // Reads of all, then writes of all: windows overlap as much as they can.
  for (let step = 0; step < STEPS; step++) {
    const client = step % CLIENTS;
    tokens.push(`${String.fromCharCode(65 + client)}${++turns[client]}`);
  }
  const fragment = `#lesson=lost-update&mode=schedule&schedule=${tokens.join(".")}&step=${STEPS}&lang=en`;
  await page.evaluate((fragment) => (location.hash = fragment), fragment);
  await page.locator(`main.lesson[data-step-now="${STEPS}"]`).waitFor({ timeout: 60_000 });
  return page;
}

const press = (key, code = key) => ({ key, code, bubbles: true, cancelable: true });
const BACK = press("ArrowLeft");
const FORWARD = press("ArrowRight");
const END = press("End");
const HOME = press("Home");
const step = (client) => press(String(client + 1), `Digit${client + 1}`);

/** Presses the strip at this part of its length. */
async function scrub(page, part) {
  const { x, y, width, height } = await page.locator(".strip").boundingBox();
  await page.mouse.click(x + width * part, y + height / 2);
  await page.locator(`main.lesson:not([data-step-now="0"], [data-step-now="${STEPS}"])`).waitFor();
}

/**
 * Sends the keys one by one, a frame apart, while the browser traces itself. For each: milliseconds of script, of
 * style and layout, and the number of nodes that were changed.
 */
async function measured(page, keys) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  const complete = new Promise((done) => session.once("Tracing.tracingComplete", done));
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["devtools.timeline", "blink.user_timing"] },
  });
  const nodes = await page.evaluate(async (keys) => {
    const touched = [];
    let changed = new Set();
    const observer = new MutationObserver((records) => {
      for (const record of records) {
        for (const node of [record.target, ...record.addedNodes, ...record.removedNodes]) changed.add(node);
      }
    });
    const watched = { subtree: true, childList: true, attributes: true, characterData: true };
    observer.observe(document.body, watched);
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    for (const key of keys) {
      changed = new Set();
      performance.mark("input");
      document.body.dispatchEvent(new KeyboardEvent("keydown", key));
      await frame();
      await frame();
      performance.mark("drawn");
      await Promise.resolve();
      touched.push(changed.size);
      // The next one's task is its own: what it does is not this one's.
      await new Promise((done) => setTimeout(done));
    }
    observer.disconnect();
    return touched;
  }, keys);
  await session.send("Tracing.end");
  await complete;
  await session.detach();

  const marks = (name) =>
    events.filter((e) => e.name === name && e.cat.includes("user_timing")).map((e) => e.ts).sort((a, b) => a - b);
  const [from, to] = [marks("input"), marks("drawn")];
  const main = events.find((e) => e.name === "input" && e.cat.includes("user_timing"));
  const mine = events.filter((e) => e.ph === "X" && e.tid === main.tid && e.pid === main.pid);
  const SCRIPT = ["FunctionCall", "EvaluateScript", "v8.callFunction", "RunMicrotasks", "TimerFire", "FireAnimationFrame", "EventDispatch"];
  const LAYOUT = ["UpdateLayoutTree", "Layout", "PrePaint", "RecalculateStyles"];
  const during = (names, at) =>
    union(mine.filter((e) => names.includes(e.name) && e.ts < to[at] && e.ts + e.dur > from[at]));
  return from.map((_, at) => {
    const layout = during(LAYOUT, at);
    return { script: Math.max(0, during([...SCRIPT, ...LAYOUT], at) - layout), layout, nodes: nodes[at] };
  });
}

/** Milliseconds of the thread's own time in the events, what lies inside another one counted once. */
function union(events) {
  let [sum, end] = [0, -Infinity];
  for (const { ts, dur, tdur } of [...events].sort((a, b) => a.ts - b.ts || b.dur - a.dur)) {
    if (ts < end) continue;
    sum += tdur ?? dur;
    end = ts + dur;
  }
  return sum / 1000;
}

async function send(page, key) {
  await page.evaluate(async (key) => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", key));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  }, key);
}

function report(name, results) {
  const of = (what) => results.map((one) => one[what]);
  const nodes = of("nodes");
  console.log(
    `${name.padEnd(26)}${both(of("script"))}  ${both(of("layout"))}  ${String(quantile(nodes, 0.5)).padStart(6)} ${String(quantile(nodes, 0.95)).padStart(6)}`,
  );
}

async function costs() {
  if (SAMPLES === 0) return;
  const page = await openLong();
  console.log(`${CLIENTS} clients, ${STEPS} steps           script, ms      style+layout, ms     nodes`);
  console.log("                           median     95 %   median     95 %  median   95 %");
  const pairs = Array.from({ length: SAMPLES / 2 }, () => [FORWARD, BACK]).flat();
  await send(page, HOME);
  report("move at the start", await measured(page, pairs));
  await scrub(page, 0.5);
  report("move in the middle", await measured(page, pairs));
  await send(page, END);
  report("move at the end", await measured(page, Array.from({ length: SAMPLES / 2 }, () => [BACK, FORWARD]).flat()));
  report("from end to end", await measured(page, Array.from({ length: SAMPLES / 2 }, () => [HOME, END]).flat()));
  const next = (at) => step((STEPS + at) % CLIENTS);
  report("new steps at the end", await measured(page, Array.from({ length: SAMPLES }, (_, at) => next(at))));
  // Back two, and another way: the run forks every time.
  const forks = [];
  for (let at = 0; at < SAMPLES / 2; at++) forks.push(BACK, BACK, step(at % CLIENTS), step((at + 3) % CLIENTS));
  report("forks at the end", (await measured(page, forks)).filter((_, at) => at % 4 > 1));
  await page.context().close();
}

/** The heap of the page and the memory of its wasm after many inputs: back, forward, forks. */
async function memory() {
  if (INPUTS === 0) return;
  const page = await openLong();
  const session = await page.context().newCDPSession(page);
  const heap = async () => {
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    const { nodes } = await session.send("Memory.getDOMCounters");
    const bytes = await page.evaluate(() => window.wasmMemory.buffer.byteLength);
    return { mb: usedSize / 2 ** 20, wasm: bytes / 2 ** 20, nodes };
  };
  console.log(`\nheap after inputs      MB  wasm MB    DOM nodes`);
  const show = ({ mb, wasm, nodes }, done) =>
    console.log(
      `${String(done).padStart(16)} ${mb.toFixed(1).padStart(8)} ${wasm.toFixed(1).padStart(8)} ` +
        String(nodes).padStart(12),
    );
  show(await heap(), 0);
  const PORTION = Math.ceil(INPUTS / 4);
  for (let done = 0; done < INPUTS; done += PORTION) {
    await page.evaluate(
      async ([count, clients]) => {
        const send = (key, code = key) =>
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true }));
        for (let at = 0; at < count; at++) {
          const client = 1 + (at % clients);
          // The run stays as long as it is.
          if (at % 4 < 2) send("ArrowLeft");
          else send(String(client), `Digit${client}`);
          await new Promise((done) => setTimeout(done));
        }
      },
      [Math.min(PORTION, INPUTS - done), CLIENTS],
    );
    show(await heap(), Math.min(done + PORTION, INPUTS));
  }
  await page.context().close();
}

/** From the start of the navigation to a step button that can be pressed, nothing in the cache. */
async function loads() {
  if (LOADS === 0) return;
  const url = (await serve("/")) + "#lesson=lost-update&mode=schedule&lang=en";
  const times = [];
  for (let load = 0; load < LOADS; load++) {
    const context = await (await browser()).newContext({ viewport: SIZES[1280] });
    const page = await context.newPage();
    await page.addInitScript(() => {
      const there = () => document.querySelector("button.step:not(:disabled)");
      const watch = new MutationObserver(() => {
        if (!there()) return;
        watch.disconnect();
        // When it has been drawn.
        requestAnimationFrame(() => setTimeout(() => (window.interactive = performance.now())));
      });
      watch.observe(document, { subtree: true, childList: true });
    });
    await page.goto(url);
    await page.waitForFunction(() => window.interactive);
    times.push(await page.evaluate(() => window.interactive));
    await context.close();
  }
  console.log(`\nfirst lesson can be stepped after, ms: median ${quantile(times, 0.5).toFixed(0)}, worst ${Math.max(...times).toFixed(0)} of ${LOADS} loads`);
}

/** From the press of Find's button to the first counterexample on the page, the worker being there. */
async function finds() {
  if (LOADS === 0) return;
  const times = [];
  for (let load = 0; load < LOADS; load++) {
    const page = await openUnchecked("#lesson=lost-update&variant=naive&mode=find", { size: 1280 });
    await page.waitForTimeout(2_500);
    times.push(await page.evaluate(() => new Promise((resolve) => {
      const begin = performance.now();
      const observer = new MutationObserver(() => {
        if (document.querySelector('[data-question="total"] .strip')) resolve(performance.now() - begin);
      });
      observer.observe(document.body, { childList: true, subtree: true });
      document.querySelector(".find .search").click();
    })));
    await page.context().close();
  }
  console.log(`first counterexample after, ms: median ${quantile(times, 0.5).toFixed(0)}, worst ${Math.max(...times).toFixed(0)} of ${LOADS} visits`);
}

try {
  await costs();
  await memory();
  await loads();
  await finds();
} finally {
  await close();
}
