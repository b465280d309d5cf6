// Draws static/icons/*.png from icon.svg: `node tests/browser/icons.mjs`, after a change of it. The
// maskable one has more ground around the drawing, as systems cut it to their own shape.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { browser, close, ROOT } from "./harness.mjs";

const folder = join(ROOT, "static/icons");
const svg = readFileSync(join(folder, "icon.svg"), "utf8");
const whole = svg.replace(/rx="\d+"/, "");
for (const [name, size, inner, drawing] of [
  ["icon-192.png", 192, 1, svg],
  ["icon-512.png", 512, 1, svg],
  ["mask-512.png", 512, 0.8, whole],
]) {
  const page = await (await browser()).newPage({ viewport: { width: size, height: size } });
  const margin = (size * (1 - inner)) / 2;
  await page.setContent(
    `<style>body{margin:0;background:${inner < 1 ? "#fbfaf8" : "transparent"}}` +
      `svg{display:block;width:${size * inner}px;margin:${margin}px}</style>${drawing}`,
  );
  writeFileSync(join(folder, name), await page.screenshot({ omitBackground: true }));
  await page.close();
}
await close();
