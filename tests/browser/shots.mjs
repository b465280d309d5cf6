// Screenshots to look at: `node tests/browser/shots.mjs '#lesson=lost-update&step=4'`, against the
// page in dist/. Each address is taken in every size, theme and language.

import { mkdir } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { close, LANGUAGES, openUnchecked, ROOT, SIZES, still } from "./harness.mjs";

const HELP = `usage: node tests/browser/shots.mjs [ADDRESS…] [--only WORDS] [--press KEYS] [--click SELECTOR]
                                   [--full] [--out FOLDER]

  ADDRESS           what follows the page's own address (default: nothing): '#lesson=oversell&step=3'
  --only 1440,dark  of the sizes ${Object.keys(SIZES).join(" ")}, the themes light dark and the
                    languages en zh only those named (of each kind: all, if none is named)
  --press Space,End keys to press first, in Playwright's names
  --click SELECTOR  something to click first (before the keys; may be repeated)
  --full            the whole page, not only the window
  --out FOLDER      default: tests/browser/shots
`;

const THEMES = ["light", "dark"];

let given;
try {
  given = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: "string", default: "" },
      press: { type: "string", default: "" },
      click: { type: "string", multiple: true, default: [] },
      full: { type: "boolean", default: false },
      out: { type: "string", default: join(ROOT, "tests/browser/shots") },
      help: { type: "boolean", short: "h" },
    },
  });
} catch (error) {
  fail(error.message);
}
if (given.values.help) {
  console.log(HELP);
  process.exit();
}

const words = list(given.values.only);
const kinds = [Object.keys(SIZES), THEMES, Object.keys(LANGUAGES)];
for (const word of words) {
  if (!kinds.flat().includes(word)) fail(`--only ${word}: choose from ${kinds.flat().join(" ")}`);
}
const [sizes, themes, languages] = kinds.map((kind) => {
  const named = kind.filter((word) => words.includes(word));
  return named.length > 0 ? named : kind;
});

const out = resolve(given.values.out);
await mkdir(out, { recursive: true });
let complaints = 0;
try {
  for (const address of given.positionals.length > 0 ? given.positionals : [""]) {
    for (const size of sizes) {
      for (const theme of themes) {
        for (const language of languages) await shoot(address, { size, theme, language });
      }
    }
  }
} finally {
  await close();
}
if (complaints > 0) fail(`the page complained ${complaints} times`);

async function shoot(address, options) {
  const page = await openUnchecked(address, options);
  for (const selector of given.values.click) await page.click(selector);
  for (const key of list(given.values.press)) await page.keyboard.press(key);
  await still(page);
  const name = address.replace(/[^\w.-]+/g, "_").replace(/^_+|_+$/g, "").slice(0, 80) || "start";
  const path = join(out, `${name}-${options.size}-${options.theme}-${options.language}.png`);
  await page.screenshot({ path, fullPage: given.values.full });
  console.log(relative(process.cwd(), path));
  for (const problem of page.problems) console.error(`  ${problem}`);
  complaints += page.problems.length;
  await page.context().close();
}

function list(text) {
  return text.split(",").map((word) => word.trim()).filter(Boolean);
}

function fail(message) {
  console.error(`shots: ${message}`);
  process.exit(1);
}
