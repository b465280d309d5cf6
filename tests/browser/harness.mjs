// What the browser tests and the screenshots stand on: the built page in dist/, served by our own
// proxy on a free port, opened in a real Chromium.
//
//   test("the sum is wrong", async (t) => {
//     const page = await open(t, "#lesson=lost-update", { size: 1280, theme: "dark", language: "zh" });
//     await page.getByRole("button", { name: /GET/ }).click();
//   });
//
// `page` is Playwright's. It closes with the test, and the test fails if anything was reported on
// the console as an error or a warning, was thrown, or could not be loaded. One that expects such
// complaints says so with `page.expect(/pattern/)`; those that came are in `page.problems`, a line
// each.
//
// The visitor is a person: things move, and windows are those of SIZES. A test that wants no motion says
// why (`calm`), and one word makes the visitor's line and processor slow (`slow`).

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { launching } from "./chrome.mjs";

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** The windows that people have: desktops, a frame in a course page, phones with their browser's bars. */
export const SIZES = {
  1440: { width: 1440, height: 900 },
  1280: { width: 1280, height: 720 },
  800: { width: 800, height: 500 },
  390: { width: 390, height: 664, touch: true },
  360: { width: 360, height: 640, touch: true },
  667: { width: 667, height: 375, touch: true },
};

/** A slow visitor: bytes each second, ms until an answer begins, and a processor so many times slower. */
const SLOW = { bytes: 1_600_000 / 8, latency: 150, slower: 4 };

/** The languages of the page, as a browser asks for them. */
export const LANGUAGES = { en: "en-GB", zh: "zh-CN" };

/**
 * How long the page may take to show itself, and any single wait in a test. Only a failure waits so long:
 * a machine that is busy with other things changes no result. PATIENCE_MS=10000 while one looks for a failure.
 */
export const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 120_000);

// ---- The server ---------------------------------------------------------------------------------

/** Base path and folder → promise of `{ url, stop }`. */
const servers = new Map();

/** The address below `base`, which starts and ends with a slash, of the page that is built in `folder`. */
export async function serve(base = "/", folder = resolve(ROOT, process.env.PAGE_DIR ?? "dist")) {
  const name = `${base} ${folder}`;
  if (!servers.has(name)) servers.set(name, startProxy(base, folder));
  return (await servers.get(name)).url;
}

async function startProxy(base, folder) {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const target = process.env.CARGO_TARGET_DIR ?? join(ROOT, "target");
  const program = resolve(ROOT, target, `debug/proxy${suffix}`);
  for (const [path, how] of [
    [program, "cargo build --bin proxy"],
    [join(folder, "index.html"), "make build"],
  ]) {
    if (!existsSync(path)) throw new Error(`${path} is not built: run \`${how}\` first`);
  }

  const proxy = spawn(program, ["--listen", "127.0.0.1:0", "--base", base, "--dir", folder], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = () => proxy.kill();
  process.once("exit", stop);
  for await (const line of createInterface({ input: proxy.stdout })) {
    const address = /http:\/\/\S+/.exec(line);
    if (!address) continue;
    // Neither the process nor its pipe keeps Node from ending.
    proxy.unref();
    proxy.stdout.unref();
    return { url: address[0], stop };
  }
  throw new Error("the proxy ended before it listened");
}

// ---- The browser --------------------------------------------------------------------------------

let launched;

/** The one Chromium: that of tests/run.mjs, which all its programs share, or one started at first use. */
export function browser() {
  const shared = process.env.INTERLEAVE_BROWSER;
  const timeout = PATIENCE_MS;
  launched ??= shared ? chromium.connect(shared, { timeout }) : chromium.launch({ ...launching(), timeout });
  return launched;
}

/** Ends the browser and the servers. Test files need not call it. */
export async function close() {
  await (await launched)?.close();
  launched = undefined;
  for (const server of servers.values()) (await server).stop();
  servers.clear();
}

// The browser keeps the process alive, so a test file ends with this. Scripts call `close` themselves.
if (process.argv[1]?.endsWith(".test.mjs")) after(close);

// ---- The stage ----------------------------------------------------------------------------------

/**
 * Opens the menu of the stage and presses one of its entries, by the name in its `data-move`. `page` may be a frame, `how`
 * may be "tap".
 */
export async function menu(page, name, how = "click") {
  // What a lesson needs often stands in the dock itself.
  const near = page.locator(`.dock > :not(#menu) [data-move="${name}"], .dock > [data-move="${name}"]`);
  if (await near.count()) return await near.first()[how]();
  await opened(page, how);
  await page.locator(`#menu [data-move="${name}"]`).first()[how]();
}

/** Opens the menu of the stage, and gives it. */
export async function opened(page, how = "click") {
  if ((await page.locator("#menu:popover-open").count()) === 0) await page.locator('[data-move="more"]')[how]();
  const menu = page.locator("#menu:popover-open");
  // Its entries are drawn once it is open.
  await menu.locator("[data-move]").first().waitFor();
  return menu;
}

/** Goes to a part of the lesson; where the window is narrow, by the list of parts. */
export async function part(page, name, how = "click") {
  const tab = page.locator(`.modes [data-mode="${name}"]`);
  await tab.waitFor({ state: "attached" });
  if (!(await tab.isVisible())) await page.locator(".head .parts")[how]();
  await tab[how]();
}

/** Takes the next step of the story that is watched: only one button can be pressed. A question is skipped. */
export async function onward(page, how = "click") {
  const asks = (await page.locator(".ask").count()) > 0;
  await page.locator(asks ? '[data-ask="skip"]' : ".dock .step:not([aria-disabled])").first()[how]();
}

/** For a page before it loads: keeps what it copies, as all pages of a browser have one clipboard. */
export const copies = (page) =>
  page.addInitScript(() => {
    const write = Clipboard.prototype.writeText;
    Clipboard.prototype.writeText = async function (text) {
      await write.call(this, text);
      window.copied = text;
    };
  });

/** The file that a press saves: { name, bytes }. */
export async function saved(page, press) {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), bytes: await buffer(await download.createReadStream()) };
}

/** Waits until a field of the address has this value, or is not there. Where a film begins, the address follows later. */
export const addressSays = (page, name, value) =>
  page.waitForFunction(([name, value]) => new URLSearchParams(location.hash.slice(1)).get(name) === value, [name, value ?? null]);

/** Waits until all parts of the page's program are there: before that a step has no film. */
export const whole = (page) => page.waitForFunction(() => !document.documentElement.hasAttribute("data-later"));

/** Waits until a link's whole run has been played: before that the page may show a part of it at this step. */
export const played = (page, schedule) =>
  page.waitForFunction((steps) => document.querySelector(".strip")?.ariaValueMax === steps, String(schedule.split(".").length));

/** Waits until nothing moves. */
export const still = (page) =>
  page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== "running"));

/** Ends the films that play, and waits until nothing moves. */
export async function ended(page) {
  await page.evaluate(() => document.getAnimations().forEach((one) => one.finish()));
  await still(page);
}

/** Waits until `turns` pictures have been drawn: what the page does after the one that is shown has been done. */
export const drawn = (page, turns = 2) =>
  page.evaluate(async (turns) => {
    for (let turn = 0; turn < turns; turn++) await new Promise(requestAnimationFrame);
  }, turns);

/** What `stepped` does in the page. */
const stepAll = async ({ stories, forward, leave, last, patience }, look) => {
  const until = async (what, is) => {
    const end = performance.now() + patience;
    // The page draws in a microtask.
    for (let turn = 0; !is(); turn++) {
      if (performance.now() > end) throw new Error(`${what} does not come: ${location.hash}`);
      await (turn < 20 ? Promise.resolve() : new Promise(requestAnimationFrame));
    }
  };
  const stands = (step) => document.querySelector(`main.lesson[data-step-now="${step}"]`);
  const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, code: key, bubbles: true, cancelable: true }));
  const found = [];
  for (const { address, steps } of stories) {
    location.hash = address;
    // The whole run has been played.
    await until(address, () => stands(0) && document.querySelector(".strip")?.ariaValueMax === String(steps));
    const seen = [];
    if (last) press("End");
    for (let step = last ? steps : 0; step <= steps; step++) {
      await until(`${address}, step ${step}`, () => stands(step));
      seen.push(await look(step));
      if (step < steps) press(document.querySelector(".ask") ? leave : forward);
    }
    found.push(seen);
  }
  return found;
};

/**
 * Goes inside the page through stories, { address, steps }, step by step, and gives for each what `look`, a function of
 * the page's, finds at its steps, or at its last alone; the visitor wants no motion. `forward` and `leave` are the keys
 * for the next step and past a question.
 */
export const stepped = (page, stories, look, { forward = "ArrowRight", leave = "Escape", last = false } = {}) =>
  page.evaluate(`(${stepAll})(${JSON.stringify({ stories, forward, leave, last, patience: PATIENCE_MS })}, ${look})`);

/** The faults in words that `stepped` has found, each with its place. */
export const faultsOf = (found, stories) =>
  found.flatMap((steps, story) => steps.flatMap((all, step) => (all ?? []).map((one) => `${stories[story].address} ${step}: ${one}`)));

/** Goes to an address of the page by way of its glossary: nothing that was opened stays open. */
export async function turn(page, address, shows, language = "en") {
  for (const [hash, there] of [["#page=glossary", ".glossary dt"], [address || "#", shows]]) {
    await page.evaluate((hash) => void (location.hash = hash), `${hash}&lang=${language}`);
    await page.locator(there).first().waitFor();
  }
}

/** What `visited` does in the page. */
const visitAll = async ({ addresses, shows, patience }, look) => {
  const found = [];
  for (const address of addresses) {
    location.hash = address;
    const end = performance.now() + patience;
    // The page adds its language to the address.
    const there = () => location.hash.includes("&lang=") && !document.querySelector("main.loading")
      && shows.every((one) => document.querySelector(one)?.checkVisibility());
    for (let drawn = 0; drawn < 2; drawn = there() ? drawn + 1 : 0) {
      if (performance.now() > end) throw new Error(`${address} does not come: ${location.hash}`);
      await new Promise(requestAnimationFrame);
    }
    found.push(await look());
  }
  return found;
};

/**
 * Goes inside the page to one address of it after the other, and gives what `look`, a function of the page's, finds at
 * each: when `shows`, selectors, are there and two pictures of it have been drawn. The addresses name no language. A
 * walk through all lessons costs a third of what it does with a word to and fro for each of these.
 */
export const visited = (page, addresses, shows, look) =>
  page.evaluate(`(${visitAll})(${JSON.stringify({ addresses, shows, patience: PATIENCE_MS })}, ${look})`);

// ---- A page -------------------------------------------------------------------------------------

/**
 * Opens the page at `address` (what follows the base: `#lesson=…`, `?embed#…`; or a whole one) and
 * waits until it shows something. Options:
 *   size      a key of SIZES (default 1440), or { width, height, touch }
 *   theme     "light" | "dark": what the system prefers
 *   language  "en" | "zh": what the browser prefers
 *   base      "/courses/redis/": serves it under this path
 *   calm      why this visitor wants no motion (prefers-reduced-motion); most people leave it on
 *   unpainted why no pixel of it is needed: it is laid out, pressed and read like any other, and costs up to a third less
 *   slow      true: 1.6 Mbit/s, 150 ms, a processor four times slower
 *   before    a function that is given the page while it is empty, to answer requests for instance
 *   serviceWorkers: "allow", javaScriptEnabled, permissions, storageState …: go to Playwright's
 *   newContext
 */
export async function open(t, address = "", options = {}) {
  const page = await openUnchecked(address, options);
  t.after(async () => {
    await page.context().close();
    // One that is expected may come at any time until now.
    const problems = page.problems.filter((line) => !page.expected.some((one) => one.test(line)));
    if (problems.length > 0) throw new Error(`the page complained:\n  ${problems.join("\n  ")}`);
  });
  return page;
}

/** As `open`, for scripts: the caller closes `page.context()` and looks at `page.problems`. */
export async function openUnchecked(address = "", options = {}) {
  const { size = 1440, theme = "light", language = "en", base = "/", calm, unpainted, slow, before, early, ...rest } =
    options;
  if (calm === true) throw new Error("calm says why no motion is wanted, in words");
  if (unpainted === true) throw new Error("unpainted says why no pixel is needed, in words");
  const { touch = false, ...viewport } = SIZES[size] ?? size;
  const context = await (await browser()).newContext({
    viewport,
    hasTouch: touch,
    isMobile: touch,
    deviceScaleFactor: touch ? 2 : 1,
    colorScheme: theme,
    reducedMotion: calm ? "reduce" : "no-preference",
    locale: LANGUAGES[language],
    // A worker answers past `page.route` and copies files meanwhile: only its own tests want it.
    serviceWorkers: "block",
    ...rest,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  if (unpainted) await context.addInitScript(unpaint);
  const page = await context.newPage();
  page.problems = watch(page);
  page.expected = [];
  page.expect = (pattern) => page.expected.push(pattern);
  if (slow) await slowDown(page);
  await before?.(page);
  const url = /^https?:/.test(address) ? address : (await serve(base)) + address;
  await page.goto(url, { waitUntil: "load" });
  await shown(page);
  // Who wants to be earlier than the last part of the program says so, or holds it back.
  if (!early && !before) await whole(page);
  return page;
}

/** For a page before it loads: what is wholly transparent is neither rastered nor put together. A frame is left to its page. */
function unpaint() {
  if (window !== top) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("html { opacity: 0 }");
  document.adoptedStyleSheets.push(sheet);
}

/** Makes a visitor's line and processor slow, or the processor alone. */
export async function slowDown(page, { bytes, latency, slower } = SLOW) {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
  if (!bytes) return;
  await session.send("Network.enable");
  const throughput = { downloadThroughput: bytes, uploadThroughput: bytes };
  await session.send("Network.emulateNetworkConditions", { offline: false, latency, ...throughput });
}

/** Waits until the page itself, not its first paint, shows text in its final fonts. */
export async function shown(page) {
  try {
    await page.waitForFunction(
      () => !document.getElementById("first") && document.body.innerText.trim() !== "",
    );
  } catch (error) {
    const problems = page.problems?.join("\n  ") || "(nothing was reported)";
    throw new Error(`the page stays blank:\n  ${problems}`, { cause: error });
  }
  await page.evaluate(() => document.fonts.ready.then(() => {}));
}

/** Collects what goes wrong in `page`, a line each. */
function watch(page) {
  const problems = [];
  page.on("console", (message) => {
    const kind = message.type();
    // Playwright's own, about what this file asks it for.
    if (message.text().startsWith("Service Worker registration blocked")) return;
    if (kind === "error" || kind === "warning" || kind === "assert") {
      const { url, lineNumber } = message.location();
      problems.push(`console ${kind}: ${message.text()} (${url}:${lineNumber})`);
    }
  });
  page.on("pageerror", (error) => problems.push(`thrown: ${error.stack ?? error}`));
  page.on("crash", () => problems.push("the page crashed"));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "failed";
    // Going away cancels what was still loading.
    if (reason !== "net::ERR_ABORTED") problems.push(`not loaded: ${request.url()} (${reason})`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`answered ${response.status()}: ${response.url()}`);
  });
  // Nothing may come from another origin: the page must work without a network.
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "127.0.0.1") {
      problems.push(`asked another origin: ${request.url()}`);
    }
  });
  return problems;
}
