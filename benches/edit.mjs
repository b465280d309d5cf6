// How long an edit of the page takes until the debug page has it, and what the time goes to. A line of a comment is
// added to a file, and taken back at the end.
//
//   node benches/edit.mjs [FILE…]    (default: a leaf of the page, and a file that the checker has too)

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../tests/browser/harness.mjs";

const GOAL_S = 15;
const FILES = process.argv.length > 2 ? process.argv.slice(2) : ["src/ui/front.rs", "src/view/stage/listing.rs"];

const WASM = ["cargo", "build", "--quiet", "--target", "wasm32-unknown-unknown"];
const TRUNK = ["trunk", "--skip-version-check", "--log", "error", "build", "--dist", "target/debug-page"];
/** What Trunk runs, each by itself; the rest of its time goes to wasm-bindgen, to hooks and to copying. */
const PARTS = [
  ["check, which compiles lessons", ["cargo", "build", "--quiet", "--bin", "check"]],
  ["the page's program", [...WASM, "--bin", "app"]],
  ["the checker's program", [...WASM, "--bin", "search", "--no-default-features"]],
];

/** Seconds that a command takes. */
function timed(words) {
  const began = performance.now();
  execFileSync(".ci/with", words, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
  return (performance.now() - began) / 1000;
}

console.log(`built before: ${timed(TRUNK).toFixed(1)} s`);
for (const file of FILES) {
  const path = join(ROOT, file);
  const text = readFileSync(path, "utf8");
  let edits = 0;
  const edit = () => writeFileSync(path, `${text}// Edit ${++edits}.\n`);
  try {
    edit();
    const parts = PARTS.map(([name, words]) => [name, timed(words)]);
    parts.push(["the rest", timed(TRUNK)]);
    edit();
    const whole = timed(TRUNK);
    console.log(`\n${file}: ${whole.toFixed(1)} s (goal ${GOAL_S} s)`);
    for (const [name, seconds] of parts) console.log(`${seconds.toFixed(1).padStart(8)} s  ${name}`);
  } finally {
    writeFileSync(path, text);
  }
}
