// Where a Chromium is: $CHROME, or in PATH, or where installers put it; and how the tests start it.
// `node chrome.mjs` prints the path, or what to do, and fails.

import { accessSync, constants, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];

const MAC_APPS = ["Chromium", "Google Chrome", "Google Chrome for Testing", "Microsoft Edge"];

const WINDOWS_APPS = ["Google/Chrome/Application/chrome.exe", "Chromium/Application/chrome.exe"];

export function findChrome() {
  if (process.env.CHROME) {
    if (!runs(process.env.CHROME)) {
      throw new Error(`CHROME=${process.env.CHROME} is not a program that can be run`);
    }
    return process.env.CHROME;
  }
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const places = [
    ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
    ...["/Applications", join(homedir(), "Applications")].flatMap((folder) =>
      MAC_APPS.map((app) => `${folder}/${app}.app/Contents/MacOS/${app.replace(" for Testing", "")}`)
    ),
    ...[process.env.ProgramFiles, process.env["ProgramFiles(x86)"], process.env.LOCALAPPDATA]
      .filter(Boolean)
      .flatMap((folder) => WINDOWS_APPS.map((app) => join(folder, app))),
    "/snap/bin/chromium",
    "/opt/google/chrome/chrome",
  ];
  const found = places.find(runs);
  if (!found) {
    throw new Error("no Chromium found: install one (.ci/setup browser), or name it with CHROME=…");
  }
  return found;
}

/**
 * The Chromium that opens no windows, where there is one: a page in it takes half the processor time. $CHROME goes
 * before it.
 */
function findShell() {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, "chromium-headless-shell")).find(runs);
}

/** How Playwright starts Chromium; `computes`: for a page that computes for minutes, and not for many pages. */
export function launching({ computes = false } = {}) {
  return {
    executablePath: (process.env.CHROME ? undefined : findShell()) ?? findChrome(),
    args: [
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // What is drawn does not depend on which part of it was drawn before.
      "--disable-partial-raster",
      // V8 optimises a function of wasm after so much work (units of its own; the usual 13 million reach hundreds
      // of functions of each page that is opened). A page costs a quarter less processor time this way; a search
      // and a long film are still optimised.
      ...(computes ? [] : ["--js-flags=--wasm-tiering-budget=200000000"]),
      // Chromium refuses to run its sandbox as root, which is what a build machine often is.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      ...(process.env.CHROME_FLAGS?.split(" ").filter(Boolean) ?? []),
    ],
  };
}

function runs(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    console.log(findChrome());
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
