// The engine inside wasm in Chromium, with the page's profile, beside the engine of a real
// redis-server: there a loop inside one EVAL, so that no socket is measured. Turn by turn in one
// run; medians.
//
// `.ci/setup wasm wasm-bindgen wasm-opt browser redis && node benches/wasm.mjs`

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { loadExample } from "../tests/browser/example.mjs";
import { browser, close } from "../tests/browser/harness.mjs";

const TURNS = 5;
const TIMES = 300_000;
const COMMANDS = [["SET", "key", "value"], ["GET", "key"], ["INCR", "n"]];
const RATIO_GOAL = 0.3;
const SCRIPT = ["EVAL", "return redis.call('GET', KEYS[1])", "1", "key"];
const SCRIPTS_GOAL = 50_000;

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const perSecond = (n) => Math.round(n).toLocaleString("en-GB");
const verdict = (met) => (met ? "" : "  BELOW");

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

const port = String(await freePort());
const redis = spawn("redis-server", ["--port", port, "--save", ""], { stdio: "ignore" });
const ask = (...words) => execFileSync("redis-cli", ["-p", port, ...words], { encoding: "utf8" });
try {
  for (let tries = 0; spawnSync("redis-cli", ["-p", port, "PING"]).status !== 0; tries++) {
    if (tries > 100) throw new Error("redis-server does not answer");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const page = await (await (await browser()).newContext()).newPage();
  // A page without a server: one address that answers with nothing.
  await page.route("http://127.0.0.1:1/", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>bench</title>" }),
  );
  await page.goto("http://127.0.0.1:1/");
  await loadExample(page, "engine");

  /** Commands per second in wasm. */
  const ours = (words, times) =>
    page.evaluate(([words, times]) => {
      const began = performance.now();
      const errors = window.example.repeat(words, times);
      if (errors > 0) throw new Error(`${words[0]}: ${errors} errors`);
      return (times * 1000) / (performance.now() - began);
    }, [words, times]);
  /** Commands per second in redis-server, without what redis-cli itself takes. */
  const theirs = (words) => {
    const call = words.map((word) => `'${word}'`).join(",");
    const code = `for i=1,tonumber(ARGV[1]) do redis.call(${call}) end`;
    const took = (times) => {
      const began = performance.now();
      ask("EVAL", code, "0", String(times));
      return performance.now() - began;
    };
    const empty = took(0);
    return (TIMES * 1000) / (took(TIMES) - empty);
  };

  console.log(`commands per second, medians of ${TURNS} turns`);
  console.log("command          in wasm  redis-server   ratio    goal");
  for (const words of COMMANDS) {
    const turns = [];
    for (let turn = 0; turn < TURNS; turn++) {
      turns.push([await ours(words, TIMES), theirs(words)]);
    }
    const [mine, real] = [0, 1].map((i) => median(turns.map((turn) => turn[i])));
    const ratio = median(turns.map(([a, b]) => a / b));
    console.log(
      words[0].padEnd(8), perSecond(mine).padStart(15), perSecond(real).padStart(13),
      ratio.toFixed(2).padStart(7), RATIO_GOAL.toFixed(2).padStart(7) + verdict(ratio >= RATIO_GOAL),
    );
  }
  const rates = [];
  for (let turn = 0; turn < TURNS; turn++) rates.push(await ours(SCRIPT, TIMES / 10));
  const rate = median(rates);
  console.log(
    "EVAL".padEnd(8), perSecond(rate).padStart(15), " ".repeat(21),
    perSecond(SCRIPTS_GOAL).padStart(7) + verdict(rate >= SCRIPTS_GOAL),
  );
} finally {
  redis.kill();
  await close();
}
