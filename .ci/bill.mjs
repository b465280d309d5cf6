// What a program of ours consists of: a bill of materials (SBOM, CycloneDX 1.6), and the licences of all that is in it.
//
//   node .ci/bill.mjs NAME TARGET SECONDS BILL.json LICENCES.txt
//
// NAME is what the bill is of; TARGET a target of Rust's, or "host"; SECONDS since 1970 is the bill's date. Both
// files follow from Cargo.lock and the target, wherever they are written. What only takes part in building
// (macros, build scripts) has the scope "excluded"; what only tests use is absent, and so are the tools that
// .ci/locks and .ci/prebuilt pin. A crate without a licence text of its own is listed with its licence's name.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const [name, wanted, seconds, billFile, licencesFile] = process.argv.slice(2);

const run = (program, ...words) => execFileSync(program, words, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 28 });
const target = wanted === "host" ? /^host: (.*)$/m.exec(run("rustc", "-vV"))[1] : wanted;
const metadata = JSON.parse(run("cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target));

const packages = new Map(metadata.packages.map((one) => [one.id, one]));
const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));
const own = packages.get(metadata.resolve.root);
const isMacro = (id) => packages.get(id).targets.some(({ kind }) => kind.includes("proc-macro"));
/** Our own crates are parts of the program: what they need, it needs. */
const isOurs = (id) => packages.get(id).source === null;
const needs = (id, kinds) => [...new Set(nodes.get(id).deps
  .filter(({ dep_kinds }) => dep_kinds.some(({ kind }) => kinds.includes(kind)))
  .flatMap(({ pkg }) => (isOurs(pkg) ? needs(pkg, kinds) : [pkg])))];

/** Returns all that `own` needs by edges of these kinds; where `linked`, without what only the compiler runs. */
function reached(kinds, linked) {
  const found = new Set();
  const open = [own.id];
  while (open.length > 0) {
    for (const id of needs(open.pop(), kinds)) {
      if (found.has(id) || (linked && isMacro(id))) continue;
      found.add(id);
      open.push(id);
    }
  }
  return found;
}

const linked = reached([null], true);
const all = [...reached([null, "build"], false)].map((id) => packages.get(id))
  .sort((a, b) => (a.name === b.name ? (a.version < b.version ? -1 : 1) : a.name < b.name ? -1 : 1));

const ref = ({ name, version }) => `pkg:cargo/${name}@${version}`;
const expression = ({ license }) => (license ?? "NOASSERTION").replaceAll(/ ?\/ ?/g, " OR ");
const hashes = new Map(
  [...readFileSync(join(ROOT, "Cargo.lock"), "utf8").matchAll(/name = "(.*)"\nversion = "(.*)"\nsource = .*\nchecksum = "(.*)"/g)]
    .map(([, name, version, hash]) => [ref({ name, version }), hash]),
);
const component = (one) => ({
  type: "library",
  "bom-ref": ref(one),
  name: one.name,
  version: one.version,
  scope: linked.has(one.id) ? "required" : "excluded",
  hashes: [{ alg: "SHA-256", content: hashes.get(ref(one)) }],
  licenses: [{ expression: expression(one) }],
  purl: ref(one),
});
const dependencies = [own, ...all].map((one) => ({
  ref: ref(one),
  dependsOn: needs(one.id, [null, "build"]).map((id) => ref(packages.get(id))).sort(),
}));

writeFileSync(billFile, `${JSON.stringify({
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  metadata: {
    timestamp: new Date(seconds * 1000).toISOString(),
    component: {
      type: "application",
      "bom-ref": ref(own),
      name,
      version: own.version,
      licenses: [{ expression: expression(own) }],
      properties: [{ name: "target", value: target }],
    },
  },
  components: all.map(component),
  dependencies,
}, null, 1)}\n`);

// The same text stands once, under all crates that have it.
const texts = new Map();
const without = [];
for (const one of all.filter(({ id }) => linked.has(id))) {
  const folder = dirname(one.manifest_path);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice|unlicense)/i.test(file)).sort();
  const title = `${one.name} ${one.version} (${expression(one)})`;
  let has = false;
  for (const file of files) {
    let text;
    try {
      text = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
    } catch {
      continue; // a folder: its files are named in the crate's own licence
    }
    texts.set(text, [...(texts.get(text) ?? []), title]);
    has = true;
  }
  if (!has) without.push(title);
}
const line = "-".repeat(96);
writeFileSync(licencesFile, [
  `${name} ${own.version} contains code of others. Its own licence is ${own.license}.\n`,
  ...(without.length > 0 ? [`Without a text of their own:\n${without.map((title) => `  ${title}\n`).join("")}`] : []),
  ...[...texts].map(([text, titles]) => `${line}\n${titles.join("\n")}\n${line}\n\n${text}\n`),
].join("\n"));
