// Lua prints the same bytes in wasm as natively: every program of the corpus (tests/lua/*.lua) and
// generated ones. The page's own wasm has no door for a loose program, so this builds Lua alone,
// with the page's profile and tools.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { command, loadExample } from "./example.mjs";
import { open } from "./harness.mjs";

/** How many programs go into the page at once. */
const BATCH = 100;

/** The programs, each with what it prints natively. The profile is the one of `cargo test`. */
function native() {
  return command("cargo", "run", "--quiet", "--profile", "test", "--example", "lua")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("Lua prints the same bytes in wasm as natively", async (t) => {
  const programs = native();
  assert.ok(programs.length >= 1150, `${programs.length} programs`);

  const page = await open(t);
  const wasm = await loadExample(page, "lua");
  await page.evaluate(() => {
    const lua = window.example;
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
