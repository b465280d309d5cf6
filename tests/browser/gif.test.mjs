// The GIF of a story: a browser reads it, its pictures move, each step rests to be read, and it is the same each time.

import assert from "node:assert/strict";
import test from "node:test";
import { make } from "./gif.mjs";
import { open } from "./harness.mjs";

const FEW = { width: 800, height: 500, fps: 2 };

/** What a browser finds in a GIF: its size, and of each picture how long it stays and a digest. */
const read = async (base64) => {
  const data = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  const decoder = new ImageDecoder({ data, type: "image/gif" });
  await Promise.all([decoder.tracks.ready, decoder.completed]);
  const found = [];
  for (let frameIndex = 0; frameIndex < decoder.tracks.selectedTrack.frameCount; frameIndex++) {
    const { image } = await decoder.decode({ frameIndex });
    const pixels = new Uint8Array(image.allocationSize());
    await image.copyTo(pixels);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", pixels)).join();
    found.push({ size: [image.displayWidth, image.displayHeight], ms: image.duration / 1000, digest });
    image.close();
  }
  return found;
};

test("the GIF of lost-update moves, rests at each step, and is the same each time", async (t) => {
  // Both at a time, so that neither has the machine for itself.
  const [{ bytes, frames, ms }, again] = await Promise.all([1, 2].map(() => make("lost-update", "lost", FEW)));
  assert.equal(Buffer.from(bytes.slice(0, 6)).toString(), "GIF89a");
  const page = await open(t, "#page=glossary");
  const found = await page.evaluate(read, Buffer.from(bytes).toString("base64"));
  assert.equal(found.length, frames);
  assert.deepEqual(found[0].size, [FEW.width, FEW.height]);
  assert.equal(found.reduce((sum, one) => sum + one.ms, 0), ms);
  // Four steps and the beginning rest. Between two rests there is a film of at least two pictures.
  const rests = found.flatMap(({ ms }, number) => (ms > 1200 ? [number] : []));
  assert.equal(rests.length, 5, `rests at ${rests}`);
  assert.equal(rests[0], 0);
  assert.equal(rests.at(-1), frames - 1);
  for (let step = 1; step <= 4; step++) assert.ok(rests[step] - rests[step - 1] >= 3, `step ${step}: ${rests}`);
  const digests = new Set(found.map(({ digest }) => digest));
  assert.ok(digests.size * 2 >= frames, `${digests.size} of ${frames} pictures differ`);
  assert.ok(bytes.length < 200_000, `${bytes.length} bytes`);
  assert.ok(Buffer.from(again.bytes).equals(Buffer.from(bytes)), "the other one is not the same");
});

test("an unknown lesson or story is named", async () => {
  await assert.rejects(make("lost-updates"), /no lesson "lost-updates"/);
  await assert.rejects(make("lost-update", "found"), /no story "found"; it has lost, in-turn, one-command/);
});
