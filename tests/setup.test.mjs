// `.ci/setup` fetches a tool that its authors have built, from a server on this machine: what is taken,
// what is refused, and that the tool is built from source where it cannot be fetched.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const platform = execFileSync("uname", ["-sm"], { encoding: "utf8" }).trim().replace(" ", "-");
const versions = readFileSync(join(ROOT, ".ci/versions"), "utf8");
const version = /^TRUNK=(.*)$/m.exec(versions)[1];

/** A program that only says its version, or that cannot run. */
const program = (runs) => (runs ? `#!/bin/sh\necho trunk ${version}\n` : "not a program\n");

/**
 * Runs `.ci/setup trunk` in a copy of the scripts, with a server that has `archive` and a table that
 * expects `hash`. Its `cargo` only notes that it was called.
 */
async function setup(t, { runs = true, status = 200, hash, prebuilt }) {
  const folder = mkdtempSync(join(tmpdir(), "interleave-setup-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const at = (...parts) => join(folder, ...parts);
  mkdirSync(at("bin"));
  mkdirSync(at("tool/trunk-x"), { recursive: true });
  for (const file of [".ci", "Cargo.lock", "Cargo.toml"]) cpSync(join(ROOT, file), at("project", file), { recursive: true });
  writeFileSync(at("tool/trunk-x/trunk"), program(runs));
  chmodSync(at("tool/trunk-x/trunk"), 0o755);
  execFileSync("tar", ["-czf", at("trunk.tar.gz"), "-C", at("tool"), "."]);
  const archive = readFileSync(at("trunk.tar.gz"));
  const right = createHash("sha256").update(archive).digest("hex");
  const row = `trunk ${version} ${platform} ${hash ?? right} https://example.invalid/releases/trunk.tar.gz\n`;
  writeFileSync(at("project/.ci/prebuilt"), row);
  writeFileSync(at("bin/cargo"), `#!/bin/sh\necho "$@" >>"${at("cargo")}"\nexit 1\n`);
  chmodSync(at("bin/cargo"), 0o755);
  const server = createServer((request, response) => {
    response.writeHead(request.url === "/trunk.tar.gz" ? status : 404).end(archive);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => server.close());
  const child = spawn("sh", [at("project/.ci/setup"), "trunk"], {
    env: {
      PATH: `${at("bin")}:/usr/bin:/bin`,
      HOME: at("home"),
      INTERLEAVE_PREBUILT: prebuilt ?? `http://127.0.0.1:${server.address().port}`,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => { said += text; });
  const code = await new Promise((ended) => child.on("close", ended));
  const tool = at(`home/.cache/interleave/trunk-${version}/bin/trunk`);
  return { code, said, installed: existsSync(tool) && execFileSync(tool, { encoding: "utf8" }), compiled: existsSync(at("cargo")) };
}

test("an archive with the pinned hash is used, and nothing is compiled", async (t) => {
  const { code, installed, compiled, said } = await setup(t, {});
  assert.equal(code, 0, said);
  assert.equal(installed, `trunk ${version}\n`);
  assert.equal(compiled, false);
});

test("an archive with another hash is refused, and the tool is compiled", async (t) => {
  const { code, installed, compiled, said } = await setup(t, { hash: "0".repeat(64) });
  assert.match(said, /SHA-256 differs\. It is not used/);
  assert.equal(installed, false);
  assert.equal(compiled, true);
  assert.equal(code, 1, "and this cargo compiles nothing");
});

test("where there is no archive, the tool is compiled", async (t) => {
  const { compiled, said } = await setup(t, { status: 404 });
  assert.match(said, /cannot be fetched; building it instead/);
  assert.equal(compiled, true);
});

test("an archive whose program does not run here is no use", async (t) => {
  const { compiled, said } = await setup(t, { runs: false });
  assert.match(said, /does not run here/);
  assert.equal(compiled, true);
});

test("nothing is fetched for a reader who says no", async (t) => {
  const { compiled, said } = await setup(t, { prebuilt: "no" });
  assert.doesNotMatch(said, /authors/);
  assert.equal(compiled, true);
});

test("the table has the versions that are pinned", () => {
  const lock = readFileSync(join(ROOT, "Cargo.lock"), "utf8");
  const bindgen = /name = "wasm-bindgen"\nversion = "(.*)"/.exec(lock)[1];
  const rows = readFileSync(join(ROOT, ".ci/prebuilt"), "utf8").split("\n").filter((line) => line && !line.startsWith("#"));
  assert.equal(rows.length, 8);
  for (const row of rows) {
    const [tool, has, , hash, address] = row.split(" ");
    assert.equal(has, { trunk: version, "wasm-bindgen": bindgen }[tool], row);
    assert.match(hash, /^[0-9a-f]{64}$/);
    assert.ok(address.startsWith("https://") && address.includes(has), row);
  }
});
