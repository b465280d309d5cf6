// A second engine: Firefox, driven by its own remote protocol (Marionette), which it speaks without
// any other program. As much of it as a smoke test needs.

import { spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const NAMES = ["firefox-esr", "firefox"];
const PATIENCE_MS = 60_000;

const PREFERENCES = {
  "marionette.port": 0,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "datareporting.policy.dataSubmissionEnabled": false,
  "toolkit.telemetry.server": "",
  "app.update.disabledForTesting": true,
  "ui.prefersReducedMotion": 1,
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

const soon = () => new Promise((done) => setTimeout(done, 50));

/** Asks again until the answer is true; the error says for what. */
export async function until(what, asked) {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    const answer = await asked();
    if (answer) return answer;
    await soon();
  }
  throw new Error(`waited in vain: ${what}`);
}

/** Starts Firefox without a window; it ends with the test. */
export async function startFirefox(t) {
  const profile = mkdtempSync(join(tmpdir(), "firefox-"));
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, "user.js"), lines.join("\n"));
  const options = { stdio: "ignore", env: { ...process.env, MOZ_HEADLESS: "1" } };
  const process_ = spawn(
    findFirefox(), ["--headless", "--no-remote", "--marionette", "--profile", profile], options,
  );
  const ended = new Promise((done) => process_.once("exit", done));
  let socket;
  t.after(async () => {
    socket?.destroy();
    process_.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  const port = await until("the port of Firefox", () => {
    try {
      return Number(readFileSync(join(profile, "MarionetteActivePort"), "utf8"));
    } catch {
      return 0;
    }
  });
  socket = connect(port, "127.0.0.1");
  return new Firefox(socket).begin();
}

/** A session: commands go out and are answered one by one. */
class Firefox {
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

  #send(name, parameters = {}) {
    const id = ++this.#last;
    const text = JSON.stringify([0, id, name, parameters]);
    this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
    return new Promise((done, fail) => this.#waiting.set(id, { done, fail }));
  }

  async begin() {
    await this.#send("WebDriver:NewSession", { strictFileInteractability: false });
    return this;
  }

  async resize(width, height) {
    await this.#send("WebDriver:SetWindowRect", { width, height });
  }

  async go(url) {
    await this.#send("WebDriver:Navigate", { url });
  }

  /** What a script returns that runs in the page; `arguments` are its own. */
  async run(script, ...args) {
    return (await this.#send("WebDriver:ExecuteScript", { script, args })).value;
  }

  /** Waits until a CSS selector finds something, with this in its text. */
  async see(selector, text = "") {
    const script = `return [...document.querySelectorAll(arguments[0])]
      .some((one) => one.innerText.includes(arguments[1]))`;
    await until(`${selector} with “${text}”`, () => this.run(script, selector, text));
  }

  /** Clicks the first thing that a CSS selector finds with this in its text, as a mouse does. */
  async click(selector, text = "") {
    await this.see(selector, text);
    const point = await this.run(
      `const one = [...document.querySelectorAll(arguments[0])]
         .find((one) => one.innerText.includes(arguments[1]) && one.getClientRects().length > 0);
       one.scrollIntoView({ block: "nearest" });
       const { left, top, width, height } = one.getBoundingClientRect();
       return [Math.round(left + width / 2), Math.round(top + height / 2)];`,
      selector, text,
    );
    const [x, y] = point;
    await this.#act([{
      type: "pointer",
      id: "mouse",
      parameters: { pointerType: "mouse" },
      actions: [
        { type: "pointerMove", x, y, duration: 0 },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ],
    }]);
  }

  /** Presses a key: a character, or WebDriver's code of another one. */
  async press(value) {
    const actions = [{ type: "keyDown", value }, { type: "keyUp", value }];
    await this.#act([{ type: "key", id: "keys", actions }]);
  }

  async #act(actions) {
    await this.#send("WebDriver:PerformActions", { actions });
  }
}
