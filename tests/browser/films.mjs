// Contact sheets of films: `node tests/browser/films.mjs [WORD…]` takes every kind of step (or those whose names have
// a WORD in them) at five moments, in both themes, on a desktop and on a phone, from the page in dist/. They are
// put into tests/browser/shots/films, a sheet for each kind where ImageMagick's `montage` is there.

import { execFileSync } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { close, openUnchecked, ROOT, whole } from "./harness.mjs";
import { hold, KINDS, run } from "./kinds.mjs";

const OUT = join(ROOT, "tests/browser/shots/films");
const MOMENTS = [0, 25, 50, 75, 100];
const WINDOWS = [
  ["1440×900", 1440],
  ["390×664", 390],
];

const words = process.argv.slice(2);
const wanted = KINDS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
await mkdir(OUT, { recursive: true });
let complaints = 0;
try {
  for (const kind of wanted) await sheet(kind);
} finally {
  await close();
}
process.exitCode = complaints > 0 ? 1 : 0;

async function sheet(kind) {
  const file = kind.name.replaceAll(/\W+/g, "-");
  for (const [, size] of WINDOWS) {
    const pictures = [];
    for (const theme of ["light", "dark"]) pictures.push(...(await moments(file, kind, { size, theme })));
    const path = join(OUT, `${file}-${size}.png`);
    try {
      execFileSync("montage", [...pictures, "-tile", `${MOMENTS.length}x`, "-geometry", "720x+6+6", path]);
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
      for (const picture of pictures) console.log(relative(process.cwd(), picture));
      continue;
    }
    for (const picture of pictures) await rm(picture);
    console.log(relative(process.cwd(), path));
  }
}

/** Takes a picture of a film that is paused. */
async function moments(file, kind, { size, theme }) {
  const step = kind.step - 1;
  const page = await openUnchecked(run({ ...kind, step }), { size, theme, before: hold });
  await page.locator(`main.lesson[data-step-now="${step}"]`).waitFor();
  await whole(page);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.getAnimations().length > 0);
  const pictures = [];
  for (const moment of MOMENTS) {
    await page.evaluate((part) => {
      for (const one of document.getAnimations()) one.currentTime = part * one.effect.getComputedTiming().duration;
    }, moment / 100);
    const path = join(OUT, `${file}-${size}-${theme}-${moment}.png`);
    await page.screenshot({ path });
    pictures.push(path);
  }
  for (const problem of page.problems) console.error(`  ${problem}`);
  complaints += page.problems.length;
  await page.context().close();
  return pictures;
}
