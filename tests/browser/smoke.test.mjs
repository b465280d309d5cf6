// The page comes up at all: everywhere, in every size, with nothing to complain about.

import assert from "node:assert/strict";
import test from "node:test";
import { open, SIZES } from "./harness.mjs";

test("the page shows itself", async (t) => {
  const page = await open(t);
  assert.match(await page.title(), /Interleave/);
});

test("it works under a sub-path, loading from nowhere else", async (t) => {
  const base = "/courses/redis/";
  const page = await open(t, "", { base });
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType("resource").map((entry) => new URL(entry.name).pathname)
  );
  assert.ok(loaded.length > 0);
  for (const path of loaded) assert.ok(path.startsWith(base), path);
});

for (const size of Object.keys(SIZES)) {
  test(`nothing sticks out sideways at ${size} px`, async (t) => {
    const page = await open(t, "", { size });
    const { content, window } = await page.evaluate(() => ({
      content: document.documentElement.scrollWidth,
      window: document.documentElement.clientWidth,
    }));
    assert.ok(content <= window, `the content is ${content} px wide in a window of ${window} px`);
  });
}
