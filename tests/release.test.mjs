// `.ci/release` with a made-up page and a made-up program: what is in an archive, that the same sources give
// the same archive, the checksums, and the bill of materials beside Cargo.lock.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const VERSION = /^version = "(.*)"$/m.exec(readFileSync(join(ROOT, "Cargo.toml"), "utf8"))[1];

/** A folder with a page and a program, and a function that calls `.ci/release` with them. */
function scratch(t) {
  const folder = mkdtempSync(join(tmpdir(), "interleave-release-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const put = (file, text, mode = 0o644) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
    chmodSync(join(folder, file), mode);
  };
  put("dist/index.html", "<!doctype html><title>Interleave</title>\n");
  put("dist/lessons/index.json", "{}\n");
  put("bin/interleave", "#!/bin/sh\necho interleave\n", 0o755);
  const archives = join(folder, "target/archives");
  const release = (parts, umask = "022", env = {}) => spawnSync("sh", ["-c", `umask ${umask}; exec "$0" ${parts}`, join(ROOT, ".ci/release")], {
    encoding: "utf8",
    env: {
      ...process.env, CARGO_TARGET_DIR: join(folder, "target"), DIST: join(folder, "dist"), PROGRAM: join(folder, "bin/interleave"),
      SOURCE_DATE_EPOCH: "1790000000", ...env,
    },
  });
  return { folder, put, archives, release };
}

const list = (archive) => execFileSync("tar", ["-tvzf", archive], { encoding: "utf8" }).trim().split("\n");

test("an archive has the page, the program and the licences, the same at any time and place", (t) => {
  const { folder, archives, release } = scratch(t);
  const first = release("page program sums");
  assert.equal(first.status, 0, first.stderr);
  const names = readdirSync(archives);
  const page = `interleave-${VERSION}-page`;
  const program = names.find((name) => name.endsWith(".tar.gz") && !name.startsWith(page)).replace(".tar.gz", "");
  assert.deepEqual(names.sort(), [`${page}.cdx.json`, `${page}.tar.gz`, `${program}.cdx.json`, `${program}.tar.gz`, "SHA256SUMS"].sort());

  const files = (name) => list(join(archives, `${name}.tar.gz`)).filter((row) => row.startsWith("-"))
    .map((row) => [row.slice(0, 10), row.split(` ${name}/`)[1]].join(" ")).sort();
  const plain = ["LICENSE-APACHE", "LICENSE-MIT", "LICENSES.txt"];
  assert.deepEqual(files(page), [...plain, "index.html", "lessons/index.json"].map((file) => `-rw-r--r-- ${file}`).sort());
  assert.deepEqual(files(program), [
    ...[...plain, "CHANGELOG.md", "SECURITY.md", "START.txt", "docs/hosting.md", "docs/operating.md"].map((file) => `-rw-r--r-- ${file}`),
    "-rwxr-xr-x interleave",
  ].sort());

  const before = readFileSync(join(archives, "SHA256SUMS"), "utf8");
  execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: archives });
  utimesSync(join(folder, "dist/index.html"), 1, 1);
  assert.equal(release("page program sums", "077").status, 0);
  assert.equal(readFileSync(join(archives, "SHA256SUMS"), "utf8"), before);
});

test("the bill names what is linked, with the hashes of Cargo.lock", (t) => {
  const { archives, release } = scratch(t);
  assert.equal(release("page program").status, 0);
  const lock = readFileSync(join(ROOT, "Cargo.lock"), "utf8");
  const bills = readdirSync(archives).filter((name) => name.endsWith(".cdx.json")).map((name) => [name, JSON.parse(readFileSync(join(archives, name), "utf8"))]);
  assert.equal(bills.length, 2);
  for (const [name, bill] of bills) {
    const scopes = Object.fromEntries(bill.components.map((one) => [one.name, one.scope]));
    for (const { name: crate, version, hashes } of bill.components) {
      assert.ok(lock.includes(`name = "${crate}"\nversion = "${version}"\n`), crate);
      assert.ok(lock.includes(`checksum = "${hashes[0].content}"`), crate);
    }
    const isPage = name.includes("-page.");
    assert.deepEqual(
      ["wasm-bindgen-futures", "axum", "serde_derive", "expect-test"].map((crate) => scopes[crate]),
      ["required", isPage ? undefined : "required", "excluded", undefined],
      name,
    );
    const refs = new Set([bill.metadata.component, ...bill.components].map((one) => one["bom-ref"]));
    for (const { ref, dependsOn } of bill.dependencies) for (const one of [ref, ...dependsOn]) assert.ok(refs.has(one), one);
  }
});

test("nothing is packed that is not whole", (t) => {
  const { folder, archives, release } = scratch(t);
  rmSync(join(folder, "bin/interleave"));
  const program = release("program");
  assert.equal(program.status, 1);
  assert.match(program.stderr, /there is no program/);
  rmSync(join(folder, "dist/index.html"));
  const page = release("page");
  assert.equal(page.status, 1);
  assert.match(page.stderr, /there is no page in .*: make build/);
  assert.ok(!existsSync(archives) || readdirSync(archives).every((name) => !name.endsWith(".tar.gz")));
});
