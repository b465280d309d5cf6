// The engines that students have, behind one small interface, for the tests that run in each:
// Chromium by Playwright, Firefox by Marionette, WebKitGTK (the engine of Safari) by WebDriver.

import { browser, PATIENCE_MS } from "./harness.mjs";
import { findChrome } from "./chrome.mjs";
import { findFirefox, startFirefox } from "./firefox.mjs";
import { missingOfWebKit, startWebKit } from "./webkit.mjs";

const PAUSE_MS = 20;

/** Asks again until the answer is true; the error says for what. */
export async function until(what, asked) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await asked();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited ${PATIENCE_MS / 1000} s in vain: ${what}`);
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
}

/**
 * A page, as a student's hands and eyes have it. Each engine adds
 *   go(url)           loads a document
 *   run(work, given)  what the function `work` returns in the page, given one JSON value
 *   resize(width, height)
 *   clickAt(x, y)     a click of the mouse at a point of the window
 *   press(keys)       "a", "ArrowLeft", "Control+a"
 *   stop()            ends the engine
 */
class Page {
  /** Waits until a CSS selector finds something that shows, with this in its text. */
  async see(selector, text = "") {
    await until(`${selector} with “${text}”`, () =>
      this.run(([selector, text]) =>
        [...document.querySelectorAll(selector)].some((one) =>
          one.innerText.includes(text) && one.getClientRects().length > 0),
      [selector, text]));
  }

  /** How many things a CSS selector finds. */
  count(selector) {
    return this.run((selector) => document.querySelectorAll(selector).length, selector);
  }

  /**
   * Clicks the first thing that a CSS selector finds with this in its text, as a mouse does: once it
   * is enabled, lies at the same place twice, and nothing lies above it.
   */
  async click(selector, text = "") {
    let before;
    const [x, y] = await until(`${selector} with “${text}” can be clicked`, async () => {
      const point = await this.run(([selector, text]) => {
        const one = [...document.querySelectorAll(selector)].find((one) =>
          one.innerText.includes(text) && one.getClientRects().length > 0 && !one.disabled);
        one?.scrollIntoView({ block: "nearest", behavior: "instant" });
        const box = one?.getBoundingClientRect();
        const [x, y] = box ? [box.left + box.width / 2, box.top + box.height / 2].map(Math.round) : [];
        return one?.contains(document.elementFromPoint(x, y)) ? [x, y] : null;
      }, [selector, text]);
      const still = point && String(point) === String(before);
      before = point;
      return still && point;
    });
    await this.clickAt(x, y);
  }

  /** Puts a text in the place of what is in a field, key by key. */
  async type(selector, text) {
    const field = (is) => this.run(is, selector);
    await this.click(selector);
    await until(`${selector} has the focus`, () =>
      field((selector) => document.activeElement === document.querySelector(selector)));
    await this.press(process.platform === "darwin" ? "Meta+a" : "Control+a");
    for (const key of text) await this.press(key);
    const written = await field((selector) => document.querySelector(selector)?.value);
    if (written !== text) throw new Error(`typed ${text} into ${selector}; there is ${written}`);
  }
}

/** Keys that are no characters, in WebDriver's code. */
const KEYS = { ArrowLeft: "\uE012", ArrowRight: "\uE014", End: "\uE010", Escape: "\uE00C", Control: "\uE009", Meta: "\uE03D" };

/** A page behind the W3C's WebDriver: `post` sends a command and returns its value. */
class WebDriverPage extends Page {
  #post;

  constructor({ post, stop }) {
    super();
    this.#post = post;
    this.stop = stop;
  }

  go(url) {
    return this.#post("url", { url });
  }

  run(work, given = null) {
    return this.#post("execute/sync", { script: `return (${work})(arguments[0])`, args: [given] });
  }

  resize(width, height) {
    return this.#post("window/rect", { width, height });
  }

  clickAt(x, y) {
    return this.#act({
      type: "pointer",
      id: "mouse",
      parameters: { pointerType: "mouse" },
      actions: [
        { type: "pointerMove", x, y, duration: 0 },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ],
    });
  }

  press(keys) {
    const values = keys.split(/(?<=.)\+/).map((key) => KEYS[key] ?? key);
    return this.#act({
      type: "key",
      id: "keys",
      actions: [
        ...values.map((value) => ({ type: "keyDown", value })),
        ...values.toReversed().map((value) => ({ type: "keyUp", value })),
      ],
    });
  }

  #act(source) {
    return this.#post("actions", { actions: [source] });
  }
}

/** A page of the Chromium that the other tests use. */
class ChromiumPage extends Page {
  #page;

  static async start() {
    const context = await (await browser()).newContext({ locale: "en-GB" });
    const page = new ChromiumPage();
    page.#page = await context.newPage();
    page.stop = () => context.close();
    return page;
  }

  go(url) {
    return this.#page.goto(url, { waitUntil: "load" });
  }

  run(work, given = null) {
    return this.#page.evaluate(work, given);
  }

  resize(width, height) {
    return this.#page.setViewportSize({ width, height });
  }

  clickAt(x, y) {
    return this.#page.mouse.click(x, y);
  }

  press(keys) {
    return this.#page.keyboard.press(keys);
  }
}

/** What keeps Chromium from being started, in words; nothing if all is there. */
function missingOfChromium() {
  try {
    findChrome();
  } catch (error) {
    return error.message;
  }
}

/** Each engine: `missing()` says in words why it cannot be started, if so; `start()` gives a page. */
export const ENGINES = [
  { name: "Chromium", missing: missingOfChromium, start: ChromiumPage.start },
  {
    name: "Firefox",
    missing: () => findFirefox()
      ? undefined
      : "there is no Firefox here (.ci/setup firefox gets it, or FIREFOX=… names one)",
    start: async () => new WebDriverPage(await startFirefox(until)),
  },
  {
    name: "WebKit",
    missing: missingOfWebKit,
    start: async () => new WebDriverPage(await startWebKit(until)),
  },
];
