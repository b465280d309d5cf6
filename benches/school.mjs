// A class of 100 at the proxy: each visitor steps through a lesson's commands with pauses, alone and
// beside one attacker; on throw-away servers, and on a Redis that all share. Printed is what the
// others wait for a reply, their errors, and the proxy's memory.
//
// `cargo build --bin proxy && node benches/school.mjs [SECONDS] [PART…]`: a minute for each row if no
// number is given, and all rows if no part is (spawn, shared, or an attacker's name). It needs
// redis-server, and 1.5 GB for a hundred of them. To add an attacker, add a function to ATTACKS.

import { fork, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const HERE = fileURLToPath(import.meta.url);
const ROOT = resolve(dirname(HERE), "..");
const VISITORS = 100;
const GOALS = { p99: 100, errors: 0, mb: 100 };
const FILE = "search-0123456789abcdef_bg.wasm";
/** A lesson's script: a shared Redis runs no other. */
const SCRIPT = "return redis.call('incr', KEYS[1])";

// ---- A WebSocket --------------------------------------------------------------------------------

function frame(opcode, payload) {
  const length = payload.length;
  const head = length < 126 ? Buffer.from([0x80 | opcode, 0x80 | length]) : Buffer.alloc(length < 65536 ? 4 : 10);
  if (length >= 126) {
    head[0] = 0x80 | opcode;
    head[1] = 0x80 | (length < 65536 ? 126 : 127);
    if (length < 65536) head.writeUInt16BE(length, 2);
    else head.writeBigUInt64BE(BigInt(length), 2);
  }
  // A mask of zeros leaves the bytes as they are.
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}

const wire = (words) =>
  Buffer.from(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join("")}`);

/** A WebSocket of the visitor that is ready, or an error with the proxy's words. */
function socket(port, visitor) {
  return new Promise((done, fail) => {
    const stream = connect(port, "127.0.0.1").setNoDelay(true);
    let bytes = Buffer.alloc(0);
    let open = false;
    const it = { stream, onReply: () => {}, onEnd: () => {} };
    it.send = (...commands) => stream.write(frame(2, Buffer.concat(commands.map(wire))));
    it.ask = (...words) =>
      new Promise((answered, lost) => {
        it.onReply = answered;
        it.onEnd = () => lost(new Error("the connection was closed"));
        it.send(words);
      });
    const lines = [
      "GET /ws?node=0 HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      "Upgrade: websocket",
      "Connection: Upgrade",
      "Sec-WebSocket-Version: 13",
      `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
      `Sec-WebSocket-Protocol: interleave, visitor.${visitor}`,
    ];
    stream.write(`${lines.join("\r\n")}\r\n\r\n`);
    stream.on("error", () => {});
    stream.on("close", () => {
      fail(new Error("closed"));
      it.onEnd();
    });
    stream.on("data", (piece) => {
      bytes = Buffer.concat([bytes, piece]);
      if (!open) {
        const end = bytes.indexOf("\r\n\r\n");
        if (end < 0) return;
        if (!bytes.toString("latin1", 0, 12).endsWith("101")) return fail(new Error(bytes.toString()));
        open = true;
        bytes = bytes.subarray(end + 4);
      }
      while (bytes.length >= 2) {
        const short = bytes[1] & 127;
        const skip = short === 126 ? 4 : short === 127 ? 10 : 2;
        if (bytes.length < skip) return;
        const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
        if (bytes.length < skip + length) return;
        const payload = bytes.subarray(skip, skip + length);
        const opcode = bytes[0] & 15;
        bytes = bytes.subarray(skip + length);
        if (opcode === 1 && payload.includes('"ready"')) done(it);
        else if (opcode === 2) it.onReply(payload.toString("latin1"));
        else if (opcode === 9) stream.write(frame(10, payload));
      }
    });
  });
}

// ---- Attackers, each in a process of its own ----------------------------------------------------

/** Asks again and again, also after a connection that was closed. */
async function repeat(port, round) {
  for (;;) {
    try {
      const it = await socket(port, "attacker-0123456789");
      for (;;) await round(it);
    } catch {
      await sleep(100);
    }
  }
}

const ATTACKS = {
  "looping script": (port) => repeat(port, async (it) => {
    const reply = await it.ask("EVAL", "while true do end", "0");
    if (reply.startsWith("-PROXY")) await sleep(5);
  }),
  // Where LCS is refused, intersections of large sets.
  "pipelined LCS": (port) => repeat(port, async (it) => {
    const members = Array.from({ length: 60_000 }, (_, at) => String(at));
    await it.ask("SETRANGE", "a", "11000", "x");
    await it.ask("SETRANGE", "b", "11000", "y");
    let slow = ["LCS", "a", "b"];
    if ((await it.ask(...slow)).startsWith("-PROXY")) {
      await it.ask("SADD", "s", ...members);
      await it.ask("SADD", "t", ...members);
      slow = ["SINTERSTORE", "d", "s", "t"];
    }
    for (;;) {
      let left = 10;
      await new Promise((done, fail) => {
        it.onReply = (text) => {
          left -= Math.max(1, text.split("\r\n").length - 1);
          if (left <= 0) done();
        };
        it.onEnd = fail;
        it.send(...Array(10).fill(slow));
      });
    }
  }),
  "slow readers": async (port) => {
    const readers = async () => {
      const first = await socket(port, "attacker-0123456789");
      await first.ask("SETRANGE", "b", "14999999", "x");
      const all = await Promise.all(Array.from({ length: 31 }, () => socket(port, "attacker-0123456789")));
      for (const it of all) {
        it.stream.pause();
        it.send(["GET", "b"], ["GET", "b"]);
      }
      return [first, ...all];
    };
    for (;;) {
      const all = await readers().catch(() => []);
      // A reader is cut off after 10 s; then there are new ones.
      await sleep(all.length ? 11_000 : 500);
      for (const it of all) it.stream.destroy();
    }
  },
  "parallel downloads": async (port) => {
    const download = () =>
      new Promise((done) => {
        const options = { host: "127.0.0.1", port, path: `/${FILE}`, headers: { "accept-encoding": "gzip, br" } };
        get(options, (response) => response.resume().on("close", done)).on("error", done);
      });
    await Promise.all(Array.from({ length: 16 }, async () => {
      for (;;) await download();
    }));
  },
};

// ---- The class ----------------------------------------------------------------------------------

const STEPS = [
  [["GET", "stock"]],
  [["SET", "stock", "10"]],
  [["INCR", "n"]],
  [["WATCH", "stock"], ["MULTI"], ["DECR", "stock"], ["EXEC"]],
  [["EVAL", SCRIPT, "1", "n"]],
];

async function learner(port, visitor, until, seen) {
  const both = [await socket(port, visitor), await socket(port, visitor)];
  seen.ready();
  await seen.begin;
  for (let at = 0; ; at++) {
    await sleep(200 + Math.random() * 800);
    if (performance.now() > until()) break;
    for (const words of STEPS[Math.floor(Math.random() * STEPS.length)]) {
      const sent = performance.now();
      const reply = await both[at % 2].ask(...words).catch((error) => `-${error.message}`);
      seen.times.push(performance.now() - sent);
      if (reply.startsWith("-")) {
        seen.errors += 1;
        seen.example ??= reply.trim();
      }
    }
  }
  for (const it of both) it.stream.destroy();
}

const children = new Set();
process.on("exit", () => children.forEach((child) => child.kill("SIGKILL")));
process.on("SIGINT", () => process.exit(130));

function started(child) {
  children.add(child);
  child.on("exit", () => children.delete(child));
  return child;
}

async function ended(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.on("exit", done));
  child.kill(signal);
  await gone;
}

async function redis(dir) {
  const port = await new Promise((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
  const options = ["--port", port, "--save", "", "--appendonly", "no", "--maxmemory", "512mb", "--dir", dir];
  const child = started(spawn("redis-server", options.map(String), { stdio: "ignore" }));
  for (let tries = 0; tries < 100; tries++) {
    const stream = connect(port, "127.0.0.1");
    const up = await new Promise((done) => stream.on("connect", () => done(true)).on("error", () => done(false)));
    stream.destroy();
    if (up) return { child, port };
    await sleep(50);
  }
  throw new Error("redis-server does not listen (.ci/setup redis)");
}

async function proxy(options) {
  const program = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target", "debug/proxy");
  const shell = 'ulimit -n $(ulimit -H -n); exec "$0" "$@"';
  const all = [program, "--listen", "127.0.0.1:0", "--visitors", "200", "--quiet", ...options];
  const child = started(spawn("sh", ["-c", shell, ...all], { stdio: ["ignore", "pipe", "inherit"] }));
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port) return { child, port: Number(port) };
  }
  throw new Error("the proxy ended before it listened (cargo build --bin proxy)");
}

const memoryMb = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

/** A built page, as far as it matters here: a large file, compressed beforehand, and a lesson. */
function page() {
  const dir = mkdtempSync(join(tmpdir(), "interleave-school-"));
  mkdirSync(join(dir, "lessons"));
  writeFileSync(join(dir, "index.html"), "<!doctype html>");
  const file = Buffer.from(randomBytes(750_000).toString("hex"));
  writeFileSync(join(dir, FILE), file);
  writeFileSync(join(dir, `${FILE}.gz`), gzipSync(file));
  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
  writeFileSync(join(dir, `${FILE}.br`), brotliCompressSync(file, quick));
  const program = `local add = [[${SCRIPT}]] redis.call('EVAL', add, 1, 'n')`;
  writeFileSync(join(dir, "lessons/x.json"), JSON.stringify({ variants: [{ program }] }));
  return dir;
}

async function row(node, attack, seconds) {
  const dir = page();
  const shared = node === "shared" ? await redis(dir) : null;
  const where = shared ? ["--redis", `redis://127.0.0.1:${shared.port}`] : ["--spawn", "1"];
  const { child, port } = await proxy(["--dir", dir, ...where]);
  let begin;
  let ready = 0;
  let until = Infinity;
  const seen = { times: [], errors: 0, ready: () => (ready += 1), begin: new Promise((done) => (begin = done)) };
  const learners = [];
  for (let at = 0; at < VISITORS; at++) {
    learners.push(learner(port, `learner-${String(at).padStart(8, "0")}`, () => until, seen));
    // Each starts a server of its own; all at once would time the machine.
    if (!shared) while (ready < at - 4) await Promise.race([sleep(20), Promise.all(learners)]);
  }
  while (ready < VISITORS) await Promise.race([sleep(20), Promise.all(learners)]);
  const attacker = attack && started(fork(HERE, ["--attack", attack, String(port)]));
  let mb = 0;
  const watch = setInterval(() => (mb = Math.max(mb, memoryMb(child.pid))), 250);
  until = performance.now() + seconds * 1000;
  begin();
  await Promise.all(learners);
  clearInterval(watch);
  if (attacker) await ended(attacker, "SIGKILL");
  await ended(child, "SIGTERM");
  if (shared) await ended(shared.child, "SIGKILL");
  rmSync(dir, { recursive: true, force: true });
  const times = seen.times.sort((a, b) => a - b);
  const part = (of) => times[Math.min(times.length - 1, Math.floor(times.length * of))] ?? NaN;
  return { node, attack: attack ?? "none", n: times.length, p50: part(0.5), p99: part(0.99), max: part(1), mb, ...seen };
}

if (process.argv[2] === "--attack") {
  // Without the class it ends, too.
  process.on("disconnect", () => process.exit());
  await ATTACKS[process.argv[3]](Number(process.argv[4]));
} else {
  const given = process.argv.slice(2);
  const seconds = Number(given.find((word) => /^\d+$/.test(word)) ?? 60);
  const parts = given.filter((word) => !/^\d+$/.test(word));
  const nodes = ["spawn", "shared"].filter((node) => parts.includes(node) || !parts.some((part) => /^s(pawn|hared)$/.test(part)));
  const attacks = [undefined, ...Object.keys(ATTACKS)].filter(
    (attack) => !parts.some((part) => part in ATTACKS || part === "none") || parts.includes(attack ?? "none"),
  );
  console.log(`${VISITORS} visitors with two connections each, ${seconds} s; times in ms`);
  console.log(`node   attacker            commands    p50     p99     max  errors  proxy MB`);
  let over = 0;
  for (const node of nodes) {
    for (const attack of attacks) {
      const it = await row(node, attack, seconds);
      const number = (n, width, digits = 0) => n.toFixed(digits).padStart(width);
      const missed = [
        it.p99 > GOALS.p99 && `p99 over ${GOALS.p99} ms`,
        it.errors > GOALS.errors && `errors: ${it.example}`,
        it.mb > GOALS.mb && `over ${GOALS.mb} MB`,
      ].filter(Boolean);
      over += missed.length;
      console.log(
        `${it.node.padEnd(6)} ${it.attack.padEnd(18)} ${number(it.n, 9)} ${number(it.p50, 6, 1)} ${number(it.p99, 7, 1)} ` +
          `${number(it.max, 7, 1)} ${number(it.errors, 7)} ${number(it.mb, 9)}  ${missed.join("; ")}`,
      );
    }
  }
  console.log(`goals: p99 ≤ ${GOALS.p99} ms, ${GOALS.errors} errors, ≤ ${GOALS.mb} MB: ${over ? `${over} missed` : "met"}`);
}
