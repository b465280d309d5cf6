// Runs every test program, several at a time, and sums up: `.ci/test` builds them first.
//
//   node tests/run.mjs page=COMMAND library=COMMAND servers=COMMAND … [--only NAME…]
//
// `library=COMMAND`, `crates=COMMAND`, `servers=COMMAND`, `tidy=COMMAND` name the native test programs; beside them each
// tests/browser/*.test.mjs and tests/*.test.mjs is a program. `page=COMMAND` makes the page: what needs a browser
// begins when it is done. What a program prints of its failures is shown
// where a test fails, else one line. A test that fails has failed: nothing is run again. At the end stand the ten
// slowest tests, the closing line of each runner, and `N passed, N failed, N skipped`; target/test-times.tsv has
// the time of every program and test. All browser tests share one Chromium, each page in a context of its own.

import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { launching } from "./browser/chrome.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
/** How many programs run at a time: browser tests wait about half of theirs. */
const AT_ONCE = availableParallelism() + 1;
/** A program that says nothing for longer hangs. Compiling the library takes 8 minutes, and 25 on a busy machine. */
const SILENT_MINUTES_MAX = 40;

/** The longest first, so that none of them runs alone at the end. Others follow by name. */
const FIRST = [
  "page", "tidy", "library", "crates", "servers", "lenses", "later", "film", "engines", "harness", "real", "axe", "labels", "line",
  "present", "find", "learn", "home", "keyboard", "playground", "embed",
];

/** Arguments of the native programs: how many tests at a time. Those of `servers` wait. */
const THREADS = { library: availableParallelism(), crates: 2, servers: 8, tidy: 2 };

function programs(words) {
  const found = words.map((word) => {
    const [name, text] = word.split("=");
    const [command, ...first] = text.split(" ");
    if (name === "page") return { name, command, arguments: first, env: {} };
    const arguments_ = [...first, `--test-threads=${THREADS[name]}`, "-Zunstable-options", "--report-time"];
    // Times of tests are an unstable option of Rust's own runner, which the first variable allows. The
    // second is what cargo would set; expect-test finds its files by it.
    const env = { RUSTC_BOOTSTRAP: "1", CARGO_MANIFEST_DIR: ROOT };
    return { name, command, arguments: arguments_, env };
  });
  for (const folder of ["tests", "tests/browser"]) {
    const files = readdirSync(join(ROOT, folder)).filter((file) => file.endsWith(".test.mjs"));
    for (const file of files) {
      found.push({
        name: file.replace(".test.mjs", ""),
        command: process.execPath,
        arguments: ["--test", "--test-reporter=spec", join(folder, file)],
        env: {},
        needsPage: folder === "tests/browser",
      });
    }
  }
  const place = ({ name }) => (FIRST.indexOf(name) + FIRST.length + 1) % (FIRST.length + 1);
  return found.sort((a, b) => place(a) - place(b) || a.name.localeCompare(b.name));
}

/** What a runner printed, without colours, as tests with their times, and the lines in which it sums up. */
export function read(output) {
  const [tests, closing] = [[], []];
  let counts = { passed: 0, failed: 0, skipped: 0 };
  for (const line of output.split("\n")) {
    const rust = /^test (.+) \.\.\. .*<([\d.]+)s>$/.exec(line);
    // The spec reporter; a line that ends a group repeats the times of its tests.
    const node = /^\s*[✔✖] (.+) \(([\d.]+)ms\)/.exec(line);
    if (rust) tests.push({ name: rust[1], seconds: Number(rust[2]) });
    else if (node) tests.push({ name: node[1], seconds: Number(node[2]) / 1000 });
    const result = /^test result: .* (\d+) passed; (\d+) failed; (\d+) ignored/.exec(line);
    if (result) {
      closing.push(line);
      counts.passed += Number(result[1]);
      counts.failed += Number(result[2]);
      counts.skipped += Number(result[3]);
    }
    const sum = /^ℹ (pass|fail|cancelled|skipped) (\d+)$/.exec(line);
    if (sum) {
      closing.push(line.slice(2));
      counts[{ pass: "passed", fail: "failed", cancelled: "failed", skipped: "skipped" }[sum[1]]] += Number(sum[2]);
    }
  }
  return { tests, closing, counts };
}

/** What a runner says of the tests that failed; all that it printed, where it says nothing of them. */
function failures(output) {
  const at = output.search(/^(failures:|✖ failing tests:)$/m);
  return at < 0 ? output : output.slice(at);
}

function run({ name, command, arguments: words, env }) {
  return new Promise((done) => {
    const began = performance.now();
    const child = spawn(command, words, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, SILENT_MINUTES_MAX * 60_000);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (text) => {
        output += text;
        timer.refresh();
      });
    }
    const end = (code) => {
      clearTimeout(timer);
      if (late) output += `\nended after ${SILENT_MINUTES_MAX} minutes without a word: it hangs\n`;
      output = output.replaceAll(/\u001b\[\d+m/g, "");
      const seconds = (performance.now() - began) / 1000;
      done({ name, ok: code === 0 && !late, seconds, output, ...read(output) });
    };
    child.on("error", (error) => {
      output += `\n${error.message}\n`;
      end(1);
    });
    child.on("close", end);
  });
}

/** The Chromium of all programs that want one: each connects to it by its address. */
function startBrowser() {
  const { chromium } = createRequire(join(ROOT, "tests/browser/package.json"))("playwright-core");
  return chromium.launchServer({ ...launching(), host: "127.0.0.1" });
}

async function main(words) {
  const only = words.indexOf("--only");
  const wanted = only < 0 ? undefined : words.splice(only).slice(1);
  const waiting = programs(words).filter(({ name }) => !wanted || wanted.includes(name) || name === "page");
  const results = [];
  const began = performance.now();
  const browser = await startBrowser();
  process.env.INTERLEAVE_BROWSER = browser.wsEndpoint();
  let pageIs = waiting.some(({ name }) => name === "page") ? "being made" : "there";
  let made;
  const page = new Promise((done) => (made = done));
  /** Takes the next program that can run; waits, where all others need the page. */
  const take = async () => {
    const at = waiting.findIndex(({ needsPage }) => !needsPage || pageIs === "there");
    if (at < 0 && waiting.length > 0 && pageIs === "being made") {
      await page;
      return take();
    }
    return waiting.splice(at < 0 ? waiting.length : at, 1)[0];
  };
  const worker = async () => {
    for (let next = await take(); next; next = await take()) {
      const result = await run(next);
      if (result.name === "page") {
        pageIs = result.ok ? "there" : "missing";
        made();
        if (result.ok) {
          console.log(`ok     page: ${result.seconds.toFixed(1)} s`);
          continue;
        }
      }
      results.push(result);
      const { passed, failed, skipped } = result.counts;
      const said = `${passed} passed, ${failed} failed, ${skipped} skipped, ${result.seconds.toFixed(1)} s`;
      console.log(`${result.ok ? "ok    " : "FAILED"} ${result.name}: ${said}`);
      // A skipped test says why.
      for (const line of result.output.split("\n")) if (/^\s*﹣ .+ #/.test(line)) console.log(`       ${line.trim()}`);
      if (!result.ok) console.log(failures(result.output).replaceAll(/^/gm, "    "));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await browser.close();

  const tests = results.flatMap(({ name, tests }) => tests.map((test) => ({ ...test, file: name })));
  tests.sort((a, b) => b.seconds - a.seconds);
  const line = (seconds, ...names) => [seconds.toFixed(1), ...names].join("\t");
  const times = [
    ...results.map(({ name, seconds }) => line(seconds, name)),
    ...tests.map(({ file, name, seconds }) => line(seconds, file, name)),
  ];
  mkdirSync(join(ROOT, "target"), { recursive: true });
  writeFileSync(join(ROOT, "target/test-times.tsv"), `${times.join("\n")}\n`);
  console.log("\nThe ten slowest tests (all are in target/test-times.tsv):");
  for (const { file, name, seconds } of tests.slice(0, 10)) console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}: ${name}`);
  console.log();
  for (const { name, closing } of results) if (["library", "crates", "servers", "tidy"].includes(name)) console.log(`${closing.join("; ")} (${name})`);
  const sum = (of) => results.reduce((total, { counts }) => total + counts[of], 0);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const bad = results.filter(({ ok }) => !ok).map(({ name }) => name);
  console.log(`${results.length} programs in ${seconds} s${bad.length > 0 ? `; failed: ${bad.join(", ")}` : ""}`);
  console.log(`${sum("passed")} passed, ${Math.max(sum("failed"), bad.length)} failed, ${sum("skipped")} skipped`);
  process.exitCode = bad.length > 0 || results.length === 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
