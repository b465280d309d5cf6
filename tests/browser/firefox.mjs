// Firefox, driven by its own remote protocol (Marionette), which it speaks without any other program.

import { spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const NAMES = ["firefox-esr", "firefox"];

/** The commands of WebDriver that the tests use, as Marionette calls them. */
const COMMANDS = {
  url: "WebDriver:Navigate",
  "execute/sync": "WebDriver:ExecuteScript",
  "window/rect": "WebDriver:SetWindowRect",
  actions: "WebDriver:PerformActions",
};

const PREFERENCES = {
  "marionette.port": 0,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "datareporting.policy.dataSubmissionEnabled": false,
  "toolkit.telemetry.server": "",
  "app.update.disabledForTesting": true,
  "intl.accept_languages": "en-GB",
};

/** Where a Firefox is: $FIREFOX, or in PATH; undefined if there is none. */
export function findFirefox() {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const places = [
    ...(process.env.FIREFOX ? [process.env.FIREFOX] : []),
    ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
    "/Applications/Firefox.app/Contents/MacOS/firefox",
  ];
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Starts Firefox without a window; `post` sends it a command of WebDriver. `until` waits. */
export async function startFirefox(until) {
  const profile = mkdtempSync(join(tmpdir(), "firefox-"));
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, "user.js"), lines.join("\n"));
  const options = { stdio: "ignore", env: { ...process.env, MOZ_HEADLESS: "1" } };
  const firefox = spawn(
    findFirefox(), ["--headless", "--no-remote", "--marionette", "--profile", profile], options,
  );
  const ended = new Promise((done) => firefox.once("exit", done));
  let socket;
  const stop = async () => {
    socket?.destroy();
    firefox.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const port = await until("the port of Firefox", () => {
      try {
        return Number(readFileSync(join(profile, "MarionetteActivePort"), "utf8"));
      } catch {
        return 0;
      }
    });
    socket = connect(port, "127.0.0.1");
    const session = new Marionette(socket);
    await session.send("WebDriver:NewSession");
    return { post: async (command, given) => (await session.send(COMMANDS[command], given)).value, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Commands go out and are answered one by one. */
class Marionette {
  #socket;
  #last = 0;
  #waiting = new Map();

  constructor(socket) {
    this.#socket = socket;
    let bytes = Buffer.alloc(0);
    socket.on("data", (more) => {
      bytes = Buffer.concat([bytes, more]);
      for (;;) {
        const colon = bytes.indexOf(":");
        const length = Number(bytes.subarray(0, Math.max(colon, 0)));
        if (colon < 0 || bytes.length < colon + 1 + length) return;
        const message = JSON.parse(bytes.subarray(colon + 1, colon + 1 + length));
        bytes = bytes.subarray(colon + 1 + length);
        if (Array.isArray(message)) this.#heard(message);
      }
    });
  }

  #heard([, id, error, result]) {
    const { done, fail } = this.#waiting.get(id) ?? {};
    this.#waiting.delete(id);
    if (error) fail?.(new Error(`${error.error}: ${error.message}`));
    else done?.(result);
  }

  send(name, parameters = {}) {
    const id = ++this.#last;
    const text = JSON.stringify([0, id, name, parameters]);
    this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
    return new Promise((done, fail) => this.#waiting.set(id, { done, fail }));
  }
}
