// The engine answers in wasm what a real redis-server answered: the recorded cases of
// tests/conformance, run inside Chromium.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { loadExample } from "./example.mjs";
import { open, ROOT } from "./harness.mjs";

const CASES = join(ROOT, "tests/conformance/cases");

test("the engine in wasm answers as recorded from a real server", async (t) => {
  const page = await open(t);
  await loadExample(page, "engine");
  let total = 0;
  const started = performance.now();
  for (const file of readdirSync(CASES).filter((name) => name.endsWith(".json")).sort()) {
    const json = readFileSync(join(CASES, file), "utf8");
    const [count, ...failures] = await page.evaluate((json) => {
      try {
        return window.example.cases(json);
      } catch (error) {
        return ["0", `trapped: ${error.stack ?? error}`];
      }
    }, json);
    assert.deepEqual(failures, [], `${file}:\n${failures.join("\n")}`);
    // A file of cases is a list of objects, of which only those of a case have a name.
    assert.equal(Number(count), JSON.parse(json).length, file);
    total += Number(count);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  t.diagnostic(`${total} cases in ${seconds} s of Chromium`);
  assert.ok(total >= 3600, `${total} cases`);
});
