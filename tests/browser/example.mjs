// The examples of Cargo.toml as wasm, with the profiles and tools of the page: one of them for the
// tests, the others, built when they are asked for, for benchmarks.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ROOT } from "./harness.mjs";

export const TARGET = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target");
const HARNESS = join(TARGET, "harness");

export function command(name, ...args) {
  const options = { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] };
  return execFileSync(name, args, { ...options, maxBuffer: 1 << 28 });
}

/** Builds the example, if anything changed, and tells where its script and its wasm are. */
export function buildExample(name, profile = "page") {
  const triple = "wasm32-unknown-unknown";
  command(
    ".ci/with", "cargo", "build", "--quiet", "--target", triple, "--profile", profile,
    "--no-default-features", "--example", name,
  );
  const built = join(TARGET, triple, `${profile}/examples/${name}.wasm`);
  const folder = join(TARGET, `${name}-${profile}-wasm`);
  const wasm = join(folder, `${name}_bg.wasm`);
  const script = join(folder, `${name}.js`);
  const done = statSync(script, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (done <= statSync(built).mtimeMs) {
    mkdirSync(folder, { recursive: true });
    const raw = join(folder, "bindgen");
    command(
      ".ci/with", "wasm-bindgen", "--target", "web", "--no-typescript", "--out-dir", raw, built,
    );
    // As index.html has it.
    const level = profile === "search" ? "-O1" : "-O2";
    command(".ci/with", "wasm-opt", level, join(raw, `${name}_bg.wasm`), "-o", wasm);
    // Last: it says that all of it is there.
    writeFileSync(script, readFileSync(join(raw, `${name}.js`)));
  }
  return { wasm, script };
}

/**
 * Builds the example and loads it into `page` as `window.example`, under addresses that the page
 * does not have.
 */
export async function loadExample(page, name) {
  const { wasm, script } = buildExample(name);
  await page.route(`**/${name}-alone/${name}.js`, (route) => route.fulfill({ path: script }));
  await page.route(`**/${name}-alone/${name}_bg.wasm`, (route) =>
    route.fulfill({ path: wasm, contentType: "application/wasm" }),
  );
  await page.evaluate(async (name) => {
    window.example = await import(new URL(`${name}-alone/${name}.js`, document.baseURI));
    await window.example.default();
  }, name);
}

/**
 * Loads the example `harness` (tests/browser/harness.rs) into an empty page and returns the page; it
 * has the program as `window.harness`. `.ci/test` has built it: a test does not compile.
 */
export async function harnessPage(context) {
  const [script, wasm] = ["js", "wasm"].map((kind) => join(HARNESS, `harness.${kind}`));
  if (!existsSync(script)) throw new Error(`${script} is not built: run \`.ci/page harness\` first`);
  const page = await context.newPage();
  const serve = (path, answer) => page.route(`http://127.0.0.1:1/${path}`, (route) => route.fulfill(answer));
  await serve("", { contentType: "text/html", body: "<!doctype html><title>harness</title>" });
  await serve("harness.js", { path: script });
  await serve("harness_bg.wasm", { path: wasm, contentType: "application/wasm" });
  await page.goto("http://127.0.0.1:1/");
  await page.evaluate(async () => {
    window.harness = await import("http://127.0.0.1:1/harness.js");
    await window.harness.default();
  });
  return page;
}

/** What the harness prints natively, a line each. */
export function native(what) {
  return command(join(TARGET, "debug/examples/harness"), what).trim().split("\n");
}
