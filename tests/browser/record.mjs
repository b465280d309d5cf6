// Writes which functions of the page's program no first visit runs, and which of these a visit to a lesson
// runs: src/divide/unused.txt, by which `divide` divides it; and the first picture of the front page
// (static/first/). To be run after `make build` when a first visit has changed, or when
// `make size` has grown without need: `make record` does it, and builds again. With the ids of lessons it visits those
// alone, in seconds, and moves what they run to the functions of lessons: `make record LESSON=…`.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { FIRST, firstPicture } from "./first-picture.mjs";
import { close, openUnchecked, ROOT } from "./harness.mjs";
import { EMBED_VISITS, fingerprint, LESSON_VISITS, LESSONS, VISITS, WANDERINGS } from "./visits.mjs";

const LIST = join(ROOT, "src/divide/unused.txt");
const ONLY = process.argv.slice(2);
const ALL = ONLY.length === 0;
const unknown = ONLY.filter((id) => !LESSONS.includes(id));
if (unknown.length > 0) throw new Error(`there is no lesson ${unknown.join(" ")}; there are ${LESSONS.join(" ")}`);
/** How many visits go on at a time. */
const AT_ONCE = 2;

const target = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target");
const divide = join(target, `debug/divide${process.platform === "win32" ? ".exe" : ""}`);
const folder = execFileSync(divide, ["--record", "app"], { cwd: ROOT, encoding: "utf8" })
  .trim();
const file = (name) => readFileSync(join(folder, name), "utf8");
const stem = file("stem");
const [base, ...names] = file("functions.txt").split("\n");

/** What ran: in first visits, and in those to lessons. */
const [first, lessons] = [new Uint8Array(names.length), new Uint8Array(names.length)];

/** Puts the page in as it was before it was divided, with the program that marks what runs. */
async function whole(page) {
  const answers = {
    "index.html": { path: join(folder, "whole.html"), contentType: "text/html" },
    [`${stem}.js`]: { path: join(folder, "whole.js"), contentType: "text/javascript" },
    [`${stem}_bg.wasm`]: { path: join(folder, "marked.wasm"), contentType: "application/wasm" },
  };
  await page.route("**/*", (route) => {
    const { pathname } = new URL(route.request().url());
    const name = pathname.split("/").pop() || "index.html";
    // The door of an embed has a file of that name, too.
    return name in answers && !pathname.includes("/embed/") ? route.fulfill(answers[name]) : route.continue();
  });
  await page.addInitScript(() => {
    addEventListener("TrunkApplicationStarted", (event) => (window.program = event.detail.wasm));
    // As if the later part were still on its way: see loader.js.
    addEventListener("DOMContentLoaded", () => (document.documentElement.dataset.later = "coming"));
  });
}

/** What comes first of two things is a matter of speed: so many times slower than this machine. */
const SPEEDS = [1, 6];

const slowed = (slower) => async (page) => {
  await whole(page);
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
};

async function run([name, visit], slower, ran) {
  const page = await visit((address, options) =>
    openUnchecked(address, { ...options, before: slowed(slower) }));
  // In a course page, the lesson's frame.
  const frame = page.frames().at(-1);
  // The keeper of the offline copy speaks when it has time, which may be before the page listens.
  await frame.evaluate(() => {
    for (const data of ["out", "in", "refused here", "new", "kept"]) {
      document.documentElement.dataset.offline = data;
      dispatchEvent(new MessageEvent("interleave-offline", { data }));
    }
  });
  await frame.evaluate(() => new Promise(requestAnimationFrame));
  const marks = await frame.evaluate(
    ([base, count]) => Array.from(new Uint8Array(window.program.memory.buffer, base, count)),
    [Number(base), names.length],
  );
  marks.forEach((mark, index) => (ran[index] |= mark));
  console.log(`${ran.reduce((sum, one) => sum + one, 0)} of ${names.length} functions ran after: ${name}, ${slower} times slower`);
  await page.context().close();
}

const visits = ALL ? [...EMBED_VISITS, ...LESSON_VISITS] : LESSON_VISITS.filter(([name]) => ONLY.includes(name.split(" ")[0]));
const runs = [
  ...(ALL ? [...VISITS, ...WANDERINGS] : []).flatMap((visit) => SPEEDS.map((slower) => [visit, slower, first])),
  ...visits.map((visit) => [visit, 1, lessons]),
];
await Promise.all(Array.from({ length: AT_ONCE }, async () => {
  while (runs.length > 0) await run(...runs.shift());
}));

if (ALL) {
  const pictures = join(ROOT, "static/first");
  mkdirSync(pictures, { recursive: true });
  for (const language of ["en", "zh"]) {
    const page = await openUnchecked("", { ...FIRST, language });
    writeFileSync(join(pictures, `${language}.html`), `${await firstPicture(page)}\n`);
    await page.context().close();
  }
}
await close();

// What hash tables and the allocator run is a matter of chance. Where several functions have one
// name, none of them may have run.
const CHANCE = /hashbrown|dlmalloc/;
// How high a lesson is on paper is measured when the page is whole, and the page recorded here always is.
const WHOLE = /::(paper|handout)::/;
const used = (ran) => new Set(names.filter((name, index) => ran[index] && !WHOLE.test(name)));
const [ofFirst, ofLessons] = [used(first), used(lessons)];
// Where some lessons alone were visited, what the list has of others stays.
const list = ALL ? [] : readFileSync(LIST, "utf8").split("\n");
const ofOthers = new Set(list.slice(0, list.indexOf("# later")));
const unused = (ALL ? [...new Set(names)] : list.filter((line) => !line.startsWith("# ")))
  .filter((name) => name !== "" && !ofFirst.has(name) && !CHANCE.test(name)).sort();
const isOfLessons = (name) => ofLessons.has(name) || ofOthers.has(name);
const RECORDED = "# Recorded with: ";
const recorded = (list[1]?.slice(RECORDED.length).split(" ") ?? []).filter((one) => !ONLY.includes(one.split(":")[0]));
recorded.push(...(ALL ? LESSONS : ONLY).map((id) => `${id}:${fingerprint(id)}`));
const part = (title, of) => `# ${title}\n${of.map((name) => `${name}\n`).join("")}`;
const inLessons = unused.filter(isOfLessons);
const rest = unused.filter((name) => !isOfLessons(name));
const head = "# Functions that no first visit runs. Written by tests/browser/record.mjs.\n";
writeFileSync(LIST, `${head}${RECORDED}${recorded.sort().join(" ")}\n${part("lessons", inLessons)}${part("later", rest)}`);
console.log(`${inLessons.length} names of lessons and ${rest.length} of the rest in ${LIST}`);
