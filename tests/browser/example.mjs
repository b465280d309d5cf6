// An example of Cargo.toml as wasm, with the profiles and tools of the page.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ROOT } from "./harness.mjs";

const TARGET = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target");

export function command(name, ...args) {
  const options = { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] };
  return execFileSync(name, args, { ...options, maxBuffer: 1 << 28 });
}

/** Builds the example, if anything changed, and tells where its script and its wasm are. */
export function buildExample(name, profile = "page") {
  const triple = "wasm32-unknown-unknown";
  command(
    ".ci/with", "cargo", "build", "--quiet", "--target", triple, "--profile", profile,
    "--example", name,
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
  return wasm;
}
