// Animated pictures of stories: `node tests/browser/gif.mjs lost-update redlock:majority` plays them in Watch, on the
// page in dist/, and writes a GIF of each.
//
// Contract: no picture depends on how fast the machine is. A film is held and its time is set, moment by moment; what
// else fades changes at once. Then the step rests for as long as its sentence takes to read. Questions are skipped.
// Pictures that are alike are one.
//
// The page is laid out in the size of the GIF, or up to half as large again where less of the lesson is cut then; its
// sentences keep their size. What a program cuts to follow its line stays cut.
//
// gifenc chooses the colours and writes the GIF, pngjs reads the screenshots: both are small, depend on nothing, and
// are the usual packages for it.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import gifenc from "gifenc";
import { PNG } from "pngjs";
import { close, LANGUAGES, openUnchecked, ROOT, whole } from "./harness.mjs";
import { hold } from "./kinds.mjs";

const { GIFEncoder, quantize, nearestColorIndex } = gifenc;

const HELP = `usage: node tests/browser/gif.mjs LESSON[:STORY]… | --all  [--theme dark] [--language zh] [--size 800x500]
                                 [--fps 12] [--out FOLDER]

  LESSON[:STORY]  a lesson's name, and the name of one of its stories (default: its first)
  --all           the first story of every lesson
  --fps N         so many pictures for each second of a film (default: 12)
  --out FOLDER    default: tests/browser/shots
`;

/** How many times larger than the GIF the page may be laid out. */
const SCALES = [1, 1.12, 1.25, 1.4, 1.5];

/** What a sentence takes to read: a start, and so much for each of its characters. */
const READ_MS = { start: 1200, en: 45, zh: 130 };
const END_MS = 2000;

/** So many of the most frequent colours are kept as they are. */
const AREAS = 32;

/** What only a reader who presses needs, and the map, which comes when the page is idle. */
const HIDDEN = ".orders, .ask, .ways, .tools";

// ---- What there is ------------------------------------------------------------------------------

const read = async (name) => JSON.parse(await readFile(join(ROOT, `dist/lessons/${name}.json`), "utf8"));

/** The lessons that have stories, in reading order. */
async function everyLesson() {
  const names = (await read("index")).chapters.flatMap(({ lessons }) => lessons).map((one) => one.id ?? one);
  const lessons = await Promise.all(names.map(read));
  return lessons.filter(({ walks }) => walks.length > 0).map(({ id }) => id);
}

async function find(lesson, story) {
  const { walks } = await read(lesson).catch(() => ({}));
  if (!walks?.length) throw new Error(`there is no lesson "${lesson}" with a story`);
  const walk = story ? walks.find(({ id }) => id === story) : walks[0];
  if (!walk) throw new Error(`${lesson} has no story "${story}"; it has ${walks.map(({ id }) => id).join(", ")}`);
  return walk;
}

// ---- The page -----------------------------------------------------------------------------------

/** A story at its beginning, without what only a reader uses. */
async function opened(lesson, walk, { width, height, language, theme }, scale, calm) {
  const address = `?embed&tabs=watch&controls=scrub&hints=0&lang=${language}`
    + `#lesson=${lesson}&mode=watch&walk=${walk.id}&step=0&lang=${language}`;
  const page = await openUnchecked(address, {
    size: { width: Math.round(width * scale), height: Math.round(height * scale) },
    deviceScaleFactor: 1 / scale, theme, language, calm, before: calm ? undefined : hold,
  });
  await at(page, 0);
  if (!calm) await whole(page);
  await page.evaluate(([hidden, scale]) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`${hidden} { display: none !important }
      * { transition: none !important }
      .variants { flex: none !important; max-width: none !important }
      .say.told { height: var(--told, ${60 * scale}px) !important }
      .say .story { font-size: ${14 * scale}px !important; line-height: ${20 * scale}px !important }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }, [HIDDEN, scale]);
  return page;
}

const at = (page, step) => page.locator(`main.lesson[data-step-now="${step}"]`).waitFor();

/** Goes to the next step; Escape skips the question before it. */
async function forward(page, step) {
  await page.keyboard.press((await page.locator(".ask").count()) > 0 ? "Escape" : "ArrowRight");
  await at(page, step);
}

/** The largest sentence has room; the others leave it free. */
const room = (page, height) =>
  page.evaluate((height) => document.documentElement.style.setProperty("--told", `${height}px`), height);

/** How much of the frame is cut: a number to compare layouts by; and how high its sentence is. */
const cut = (page) =>
  page.evaluate(() => {
    let count = 0;
    for (const one of document.querySelectorAll(".page *")) {
      if (!one.checkVisibility() || one.closest(".twin, .sr, .glow, .value, .lines, .saying, .dock, svg")) continue;
      const style = getComputedStyle(one);
      const wide = style.overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1;
      // The diagram follows its row.
      const high = style.overflowY !== "visible" && one.scrollHeight > one.clientHeight + 1 && !one.matches(".diagram");
      if (wide || high) count += 1;
    }
    for (const marker of document.querySelectorAll(".lines .tag")) {
      const [inner, outer] = [marker, marker.closest(".lines")].map((one) => one.getBoundingClientRect());
      if (inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1) count += 1;
    }
    return { count, told: document.querySelector(".say .story").scrollHeight };
  });

/** The scale at which least is cut, the smallest of those, and the height of the sentences there. */
async function fit(lesson, walk, options) {
  let best;
  for (const scale of SCALES) {
    const page = await opened(lesson, walk, options, scale, "only where things are is measured");
    let told = 60 * scale;
    for (let step = 0; step <= steps(walk); step++) {
      if (step > 0) await forward(page, step);
      told = Math.max(told, (await cut(page)).told);
    }
    await room(page, told);
    await page.keyboard.press("Home");
    await at(page, 0);
    let count = 0;
    for (let step = 0; step <= steps(walk); step++) {
      if (step > 0) await forward(page, step);
      count += (await cut(page)).count;
    }
    await page.context().close();
    if (!best || count < best.count) best = { scale, told, count };
    if (count === 0) break;
  }
  return best;
}

const steps = (walk) => walk.schedule.split(".").length;

// ---- The pictures -------------------------------------------------------------------------------

/** All pictures of a story, as `{ png, ms }`, at a scale. */
async function pictures(lesson, walk, options, { scale, told }) {
  const page = await opened(lesson, walk, options, scale);
  await room(page, told);
  const taken = [];
  const take = async (ms) => {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    taken.push({ png: await page.screenshot(), ms });
  };
  // The format counts in hundredths of a second.
  const every = 10 * Math.max(2, Math.round(100 / options.fps));
  for (let step = 0; step <= steps(walk); step++) {
    if (step > 0) {
      await forward(page, step);
      await page.waitForFunction(() => document.querySelector(".film") && document.getAnimations().length > 0);
      const length = await page.evaluate(() =>
        Math.max(...document.getAnimations().map((one) => one.effect.getComputedTiming().duration)));
      for (let ms = 0; ms < length; ms += every) {
        await page.evaluate((ms) => document.getAnimations().forEach((one) => (one.currentTime = ms)), ms);
        await take(every);
      }
      await page.waitForFunction(() => {
        for (const one of document.getAnimations()) one.finish();
        return document.getAnimations().length === 0;
      });
    }
    const sentence = await page.locator(".say .story").innerText();
    const rest = READ_MS.start + READ_MS[options.language] * sentence.length;
    await take(10 * Math.round((rest + (step === steps(walk) ? END_MS : 0)) / 10));
  }
  const problems = page.problems;
  await page.context().close();
  if (problems.length > 0) throw new Error(`the page complained:\n  ${problems.join("\n  ")}`);
  return taken;
}

// ---- The file -----------------------------------------------------------------------------------

const pixels = ({ png }) => PNG.sync.read(png);

/** One table of colours for all pictures, from those of the rests and one in some of the films. */
function palette(taken, every = Math.max(1, Math.floor(taken.length / 40))) {
  const chosen = taken.filter(({ ms }, number) => ms >= READ_MS.start || number % every === 0);
  const data = Buffer.concat(chosen.map((one) => pixels(one).data));
  // Areas keep their colour: what is behind a card is nearly as bright as the card.
  const counts = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const colour = data.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const areas = [...counts].sort((one, other) => other[1] - one[1]).slice(0, AREAS)
    .map(([colour]) => [colour >> 16, (colour >> 8) & 255, colour & 255]);
  return [...areas, ...quantize(data, 255 - areas.length)];
}

/** Finds the colour of each pixel in the table. Pixels that are alike get the same one in every picture. */
function painter(colours) {
  const known = new Map();
  return (data) => {
    const painted = new Uint8Array(data.length / 4);
    for (let at = 0; at < data.length; at += 4) {
      const colour = data.readUIntBE(at, 3);
      let found = known.get(colour);
      if (found === undefined) {
        found = nearestColorIndex(colours, [data[at], data[at + 1], data[at + 2]]);
        known.set(colour, found);
      }
      painted[at / 4] = found;
    }
    return painted;
  };
}

/** A GIF of the pictures: what is as in the picture before is left out of the next. */
function encoded(taken) {
  const colours = palette(taken);
  const through = colours.length;
  const paint = painter(colours);
  const table = [...colours, [0, 0, 0]];
  const frames = [];
  let size;
  let before;
  for (const one of taken) {
    const { width, height, data } = pixels(one);
    size = [width, height];
    const now = paint(data);
    const drawn = before ? now.map((colour, place) => (colour === before[place] ? through : colour)) : now;
    if (before && drawn.every((colour) => colour === through)) frames.at(-1).ms += one.ms;
    else frames.push({ drawn, ms: one.ms });
    before = now;
  }
  const gif = GIFEncoder();
  for (const [number, { drawn, ms }] of frames.entries()) {
    const rest = number === 0 ? { palette: table, repeat: 0 } : { transparent: true, transparentIndex: through };
    gif.writeFrame(drawn, ...size, { ...rest, delay: ms, dispose: 1 });
  }
  gif.finish();
  return { bytes: gif.bytes(), frames: frames.length, ms: frames.reduce((sum, { ms }) => sum + ms, 0) };
}

/** The GIF of a story: `{ bytes, frames, ms, cut }`; `cut` counts what is cut where its steps rest. */
export async function make(lesson, story, options = {}) {
  const all = { width: 800, height: 500, theme: "light", language: "en", fps: 12, ...options };
  const walk = await find(lesson, story);
  const layout = await fit(lesson, walk, all);
  return { ...encoded(await pictures(lesson, walk, all, layout)), cut: layout.count };
}

// ---- The command line ---------------------------------------------------------------------------

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      all: { type: "boolean", default: false },
      theme: { type: "string", default: "light" },
      language: { type: "string", default: "en" },
      size: { type: "string", default: "800x500" },
      fps: { type: "string", default: "12" },
      out: { type: "string", default: join(ROOT, "tests/browser/shots") },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return console.log(HELP);
  const { theme, language } = values;
  const [, width, height] = (/^(\d{3,4})x(\d{3,4})$/.exec(values.size) ?? []).map(Number);
  const fps = Number(values.fps);
  if (!width) throw new Error(`--size ${values.size}: write it as 800x500`);
  if (!(fps >= 1 && fps <= 50)) throw new Error(`--fps ${values.fps}: choose from 1 to 50`);
  if (!["light", "dark"].includes(theme)) throw new Error(`--theme ${theme}: choose from light dark`);
  if (!(language in LANGUAGES)) throw new Error(`--language ${language}: choose from ${Object.keys(LANGUAGES).join(" ")}`);
  const wanted = [...positionals, ...(values.all ? await everyLesson() : [])].map((one) => one.split(":"));
  if (wanted.length === 0) throw new Error("which lesson? See --help");
  for (const [lesson, story] of wanted) await find(lesson, story);

  const out = resolve(values.out);
  await mkdir(out, { recursive: true });
  for (const [lesson, story] of wanted) {
    const { bytes, frames, ms, cut } = await make(lesson, story, { width, height, theme, language, fps });
    const other = [story, theme !== "light" && theme, language !== "en" && language].filter(Boolean);
    const path = join(out, `${[lesson, ...other].join("-")}.gif`);
    await writeFile(path, bytes);
    const name = relative(process.cwd(), path);
    const note = cut > 0 ? `; parts cut: ${cut} (fewer in a larger --size)` : "";
    console.log(`${name}: ${Math.ceil(bytes.length / 1000)} KB, ${frames} pictures, ${(ms / 1000).toFixed(1)} s${note}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main()
    .catch((error) => {
      console.error(`gif: ${error.message}`);
      process.exitCode = 1;
    })
    .finally(close);
}
