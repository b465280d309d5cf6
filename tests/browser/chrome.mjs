// Where a Chromium is: $CHROME, or in PATH, or where installers put it.
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
