// Prints what the page in dist/ has loaded when the first film of a first visit has played, a path a line:
// `make size` adds them up. The visitor is slow: on a fast line all of it has come before a person presses.

import { close, drawn, openUnchecked, serve } from "./harness.mjs";

/** Forward and back on the front page, until a step has a film: the first ones may have none. */
const KEYS = ["a", "b", "a", "b", ...Array(4).fill("ArrowLeft")];
const MOST = 400;

const page = await openUnchecked("", { slow: true });
await page.locator('.front .stage[data-step-now="0"]').waitFor();
const moving = () => page.evaluate(() => document.getAnimations().length);
for (let press = 0; (await moving()) === 0; press++) {
  if (press === MOST) throw new Error(`no film in ${MOST} presses`);
  await page.keyboard.press(KEYS[press % KEYS.length]);
  await drawn(page, 4);
}
await page.waitForFunction(() => document.getAnimations().length === 0);
const home = await serve();
const loaded = await page.evaluate(() =>
  performance.getEntriesByType("resource").filter((entry) => entry.responseEnd > 0).map((entry) => entry.name));
const paths = ["index.html", ...loaded].map((url) => url.replace(home, "").replace(/[?#].*/, ""));
for (const path of new Set(paths)) console.log(path);
await close();
