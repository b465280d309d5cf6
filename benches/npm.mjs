// Beside other servers in JavaScript, in one run: js-redis-server behind its port and our `resp`
// behind its own, both driven by redis-benchmark; and ioredis-mock, which lives in the process of
// its user, whose nearest likeness is our engine as wasm in the same node (called directly, where
// the mock answers through promises as ioredis does).
//
// `.ci/setup redis browser npm-servers && cargo build --release --bin resp && node benches/npm.mjs FOLDER`,
// where FOLDER is the one that .ci/setup filled (`make bench` knows it).

import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { buildExample } from "../tests/browser/example.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const TARGET = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target");
const folder = resolve(process.argv[2] ?? "");
const require = createRequire(join(folder, "package.json"));

const TURNS = 3;
const COMMANDS = ["set", "get", "incr"];
/** Pipelined commands, and requests per turn. */
const DEPTHS = [[1, 20_000], [16, 100_000]];
/** Calls in flight at a time, and in all. */
const [IN_FLIGHT, CALLS] = [100, 50_000];

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const show = (n) => Math.round(n).toLocaleString("en-GB").padStart(12);

function freePort() {
  return new Promise((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

const children = [];

async function start(program, ...args) {
  const port = String(await freePort());
  const child = spawn(program, [...args, "--port", port], { stdio: "ignore" });
  children.push(child);
  for (let tries = 0; tries < 100; tries++) {
    try {
      const said = execFileSync("redis-cli", ["-p", port, "PING"], { stdio: "pipe" });
      if (String(said).includes("PONG")) return port;
    } catch {
      // Not yet.
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${program} ${args} does not answer`);
}

function benchmark(port, test, depth, requests) {
  const args = ["-p", port, "--csv", "-t", test, "-P", String(depth), "-n", String(requests)];
  const csv = execFileSync("redis-benchmark", args, { encoding: "utf8", stdio: "pipe" });
  return Number(csv.split("\n")[1].split('","')[1]);
}

const ARGS = { set: ["key", "value"], get: ["key"], incr: ["n"] };

/** Calls per second, so many in flight. */
async function calls(client, command) {
  const args = ARGS[command];
  const began = performance.now();
  for (let sent = 0; sent < CALLS; sent += IN_FLIGHT) {
    await Promise.all(Array.from({ length: IN_FLIGHT }, () => client[command](...args)));
  }
  return (CALLS * 1000) / (performance.now() - began);
}

function row(name, turns) {
  const [ours, theirs] = [0, 1].map((i) => median(turns.map((turn) => turn[i])));
  const ratio = median(turns.map(([a, b]) => a / b));
  console.log(`${name.padEnd(12)}${show(ours)}${show(theirs)}${ratio.toFixed(1).padStart(8)}`);
}

try {
  const ours = await start(join(TARGET, "release/resp"));
  const theirs = await start(process.execPath, join(folder, "node_modules/js-redis-server/dist/cli.js"));
  console.log(`requests per second, medians of ${TURNS} turns`);
  console.log("                    resp  js-redis-s.   ratio");
  for (const [depth, requests] of DEPTHS) {
    for (const command of COMMANDS) {
      const turns = [];
      for (let turn = 0; turn < TURNS; turn++) {
        turns.push([ours, theirs].map((port) => benchmark(port, command, depth, requests)));
      }
      row(`${command.toUpperCase()} -P ${depth}`, turns);
    }
  }

  const { wasm, script } = buildExample("engine");
  const source = readFileSync(script).toString("base64");
  const engine = await import(`data:text/javascript;base64,${source}`);
  engine.initSync({ module: readFileSync(wasm) });
  const inWasm = (command) => {
    const began = performance.now();
    engine.repeat([command, ...ARGS[command]], CALLS);
    return (CALLS * 1000) / (performance.now() - began);
  };
  const mock = new (require("ioredis-mock"))();
  console.log("            wasm in node ioredis-mock   ratio");
  for (const command of COMMANDS) {
    const turns = [];
    for (let turn = 0; turn < TURNS; turn++) {
      turns.push([inWasm(command), await calls(mock, command)]);
    }
    row(command.toUpperCase(), turns);
  }
  mock.disconnect();
} finally {
  for (const child of children) child.kill();
}
