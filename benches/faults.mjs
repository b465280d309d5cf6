// How long the page's search takes where everything can go wrong, once each: every variant of every lesson in a worker of
// Chromium, the seconds until the verdict of each property stood, and until it was known whether somebody can get stuck.
// Natively the same: `check --faults all static/lessons/oversell`.
//
// `.ci/setup wasm wasm-bindgen wasm-opt browser && node benches/faults.mjs [LESSON…]`

import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildExample, command } from "../tests/browser/example.mjs";
import { ROOT, browser, close } from "../tests/browser/harness.mjs";

/** Within so many seconds a learner shall have the answer. */
const GOAL = 2;
/** A search that takes longer is given up. */
const SECONDS_MAX = 10;
const KINDS = ["crash", "pause", "lose", "jump", "down", "restart", "failover"];
const JUMP_MS = 50;

const WORKER = `
  import init, { Faults } from "/faults.js";
  onmessage = async ({ data: [lesson, variant, secondsMax] }) => {
    await init();
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1000;
    const [stood, search] = [[], new Faults(lesson, variant)];
    let chunk = 16;
    for (let more = true; more && seconds() < secondsMax; ) {
      const slice = performance.now();
      more = search.advance(chunk);
      const took = performance.now() - slice;
      chunk = took < 0.5 ? Math.min(chunk * 2, 1 << 15) : took > 2 ? Math.max(chunk >> 1, 1) : chunk;
      const news = search.news();
      for (let at = 0; at < news.length; at += 2) stood.push([news[at], news[at + 1] ? "no run" : "a run", seconds()]);
    }
    postMessage({ stood, states: search.states(), took: seconds() });
  };
  postMessage("ready");
`;

/** The lesson with every fault allowed once, beside those it allows. */
function withFaults(lesson) {
  for (const variant of lesson.variants) {
    const faults = (variant.faults ??= {});
    for (const kind of KINDS) faults[kind] = Math.max(1, faults[kind] ?? 0);
    faults.jump_ms ||= JUMP_MS;
  }
  return lesson;
}

const folder = mkdtempSync(join(tmpdir(), "lessons-"));
try {
  command("cargo", "run", "--quiet", "--bin", "check", "--", "compile", join(ROOT, "static/lessons"), folder);
  const wanted = process.argv.slice(2);
  const lessons = readdirSync(folder)
    .filter((name) => !wanted.length || wanted.includes(name.replace(".json", "")))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")))
    .filter((lesson) => lesson.variants)
    .map(withFaults);

  const { script, wasm } = buildExample("faults", "search");
  const page = await (await (await browser()).newContext()).newPage();
  const serve = (path, answer) =>
    page.context().route(`http://127.0.0.1:1${path}`, (route) => route.fulfill(answer));
  await serve("/", { contentType: "text/html", body: "<!doctype html><title>bench</title>" });
  await serve("/faults.js", { path: script });
  await serve("/faults_bg.wasm", { path: wasm, contentType: "application/wasm" });
  await serve("/worker.js", { contentType: "text/javascript", body: WORKER });
  await page.goto("http://127.0.0.1:1/");

  let [all, within] = [0, 0];
  for (const lesson of lessons) {
    for (const [number, variant] of lesson.variants.entries()) {
      const { stood, states, took } = await page.evaluate(
        (request) =>
          new Promise((resolve, reject) => {
            const worker = new Worker("/worker.js", { type: "module" });
            worker.onerror = (error) => reject(new Error(error.message));
            worker.onmessage = ({ data }) => {
              if (data === "ready") return worker.postMessage(request);
              worker.terminate();
              resolve(data);
            };
          }),
        [JSON.stringify(lesson), number, SECONDS_MAX],
      );
      const named = (at) => (at < 0 ? "deadlock" : lesson.properties[variant.claims[at].property].id);
      const when = new Map(stood.map(([at, found, seconds]) => [at, [found, seconds]]));
      const questions = [...variant.claims.keys(), -1];
      const decided = questions.every((at) => (when.get(at)?.[1] ?? Infinity) < GOAL);
      [all, within] = [all + 1, within + decided];
      const words = questions.map((at) => {
        const [found, seconds] = when.get(at) ?? ["open", took];
        return `${named(at)} ${seconds.toFixed(2)} (${found})`;
      });
      console.log(`${decided ? " " : "!"} ${lesson.id}/${variant.id}: ${words.join(", ")}; ${states} states`);
    }
  }
  console.log(`${within} of ${all} decided in under ${GOAL} s`);
} finally {
  rmSync(folder, { recursive: true, force: true });
  await close();
}
