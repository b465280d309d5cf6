// Lua prints the same bytes in wasm as natively: every program of the corpus (tests/lua/*.lua) and
// generated ones. The page's own wasm has no door for a loose program, so this builds Lua alone,
// with the page's profile and tools.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { open, ROOT } from "./harness.mjs";

const TARGET = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target");

/** How many programs go into the page at once. */
const BATCH = 100;

function command(name, ...args) {
  const options = { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] };
  return execFileSync(name, args, { ...options, maxBuffer: 1 << 28 });
}

/** Builds Lua as wasm, if anything changed, and tells where lua.js and lua_bg.wasm are. */
function buildWasm() {
  const triple = "wasm32-unknown-unknown";
  command(
    ".ci/with", "cargo", "build", "--quiet", "--target", triple, "--profile", "page",
    "--example", "lua",
  );
  const built = join(TARGET, triple, "page/examples/lua.wasm");
  const folder = join(TARGET, "lua-wasm");
  const wasm = join(folder, "lua_bg.wasm");
  const script = join(folder, "lua.js");
  const done = statSync(script, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (done <= statSync(built).mtimeMs) {
    mkdirSync(folder, { recursive: true });
    const raw = join(folder, "bindgen");
    command(
      ".ci/with", "wasm-bindgen", "--target", "web", "--no-typescript", "--out-dir", raw, built,
    );
    command(".ci/with", "wasm-opt", "-O2", join(raw, "lua_bg.wasm"), "-o", wasm);
    // Last: it says that all of it is there.
    writeFileSync(script, readFileSync(join(raw, "lua.js")));
  }
  return { wasm, script };
}

/** The programs, each with what it prints natively. The profile is the one of `cargo test`. */
function native() {
  return command("cargo", "run", "--quiet", "--profile", "test", "--example", "lua")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("Lua prints the same bytes in wasm as natively", async (t) => {
  const { wasm, script } = buildWasm();
  const programs = native();
  assert.ok(programs.length >= 1150, `${programs.length} programs`);

  // Beside the page, under addresses that it does not have.
  const page = await open(t);
  await page.route("**/lua-alone/lua.js", (route) => route.fulfill({ path: script }));
  await page.route("**/lua-alone/lua_bg.wasm", (route) =>
    route.fulfill({ path: wasm, contentType: "application/wasm" }),
  );
  await page.evaluate(async () => {
    const lua = await import(new URL("lua-alone/lua.js", document.baseURI));
    await lua.default();
    window.luaRun = (source) => {
      const bytes = Uint8Array.from(source.match(/../g) ?? [], (byte) => parseInt(byte, 16));
      try {
        const output = lua.run(bytes);
        return Array.from(output, (byte) => byte.toString(16).padStart(2, "0")).join("");
      } catch (error) {
        return { trap: String(error.stack ?? error) };
      }
    };
  });

  const text = (hex) => Buffer.from(hex, "hex").toString("latin1");
  const started = performance.now();
  for (let first = 0; first < programs.length; first += BATCH) {
    const batch = programs.slice(first, first + BATCH);
    const outputs = await page.evaluate(
      (sources) => sources.map((source) => window.luaRun(source)),
      batch.map(({ source }) => source),
    );
    for (const [i, { name, output, source }] of batch.entries()) {
      assert.equal(outputs[i].trap, undefined, `${name} trapped:\n${text(source)}`);
      // A character for a byte: a person can read the difference.
      assert.equal(text(outputs[i]), text(output), `${name}:\n${text(source)}`);
    }
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  t.diagnostic(`${programs.length} programs in ${seconds} s of Chromium`);
  t.diagnostic(`Lua alone: ${gzipSync(readFileSync(wasm), { level: 9 }).length} bytes of wasm, gzip -9`);
});
