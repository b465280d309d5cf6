// The same schedule gives the same frames natively and in wasm: every story of every lesson,
// frame by frame, against what `check digests` computes.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import { open, ROOT } from "./harness.mjs";

test("frames and fingerprints are the same natively and in wasm", async (t) => {
  const options = { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] };
  const lines = execFileSync("cargo", ["run", "--quiet", "--bin", "check", "--", "digests"], options);
  const stories = lines.trim().split("\n").map((line) => JSON.parse(line));
  assert.ok(stories.length >= 9, `${stories.length} stories`);
  const page = await open(t);
  const lesson = page.locator("main.lesson");
  let frames = 0;
  for (const story of stories) {
    const at = `#lesson=${story.lesson}&variant=${story.variant}&mode=schedule&schedule=${story.schedule}`;
    for (const [step, fingerprint] of story.frames.entries()) {
      await page.evaluate((hash) => { location.hash = hash; }, `${at}&step=${step}`);
      await page.waitForFunction(
        ([step, id]) => {
          const main = document.querySelector("main.lesson");
          return main?.dataset.stepNow === step && location.hash.includes(`lesson=${id}&`);
        },
        [String(step), story.lesson],
      );
      assert.equal(
        await lesson.getAttribute("data-fingerprint"),
        fingerprint,
        `${story.lesson}/${story.walk} step ${step}`,
      );
      frames += 1;
    }
    assert.equal(await lesson.getAttribute("data-digest"), story.digest, `${story.walk}: the run`);
  }
  t.diagnostic(`${frames} frames of ${stories.length} stories compared`);
});
