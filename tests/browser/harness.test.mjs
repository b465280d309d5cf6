// What the library does natively it does in wasm, to the byte: Lua's output, the engine's replies,
// the checker's counts and traces, a crowd's statistics, and every frame of every story. One wasm has
// all of it (harness.rs); the page's own has no door for a loose program.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { launching } from "./chrome.mjs";
import { command, harnessPage, native, TARGET } from "./example.mjs";
import { close, open, ROOT } from "./harness.mjs";

let computer, page;
before(async () => {
  // One of its own: this page computes all the time, the others are opened and closed.
  computer = await chromium.launch(launching({ computes: true }));
  page = await harnessPage(await computer.newContext());
});
after(() => Promise.all([computer.close(), close()]));

/** How many programs go into the page at once. */
const BATCH = 100;

test("Lua prints the same bytes in wasm as natively", async (t) => {
  const programs = native("lua").map((line) => JSON.parse(line));
  assert.ok(programs.length >= 1150, `${programs.length} programs`);
  const text = (hex) => Buffer.from(hex, "hex").toString("latin1");
  for (let first = 0; first < programs.length; first += BATCH) {
    const batch = programs.slice(first, first + BATCH);
    const outputs = await page.evaluate(
      (sources) =>
        sources.map((source) => {
          const bytes = Uint8Array.from(source.match(/../g) ?? [], (byte) => parseInt(byte, 16));
          try {
            const output = window.harness.run(bytes);
            return Array.from(output, (byte) => byte.toString(16).padStart(2, "0")).join("");
          } catch (error) {
            return { trap: String(error.stack ?? error) };
          }
        }),
      batch.map(({ source }) => source),
    );
    for (const [i, { name, output, source }] of batch.entries()) {
      assert.equal(outputs[i].trap, undefined, `${name} trapped:\n${text(source)}`);
      // A character for a byte: a person can read the difference.
      assert.equal(text(outputs[i]), text(output), `${name}:\n${text(source)}`);
    }
  }
  t.diagnostic(`${programs.length} programs`);
});

test("the engine in wasm answers as recorded from a real server", async (t) => {
  const cases = join(ROOT, "tests/conformance/cases");
  let total = 0;
  for (const file of readdirSync(cases).filter((name) => name.endsWith(".json")).sort()) {
    const json = readFileSync(join(cases, file), "utf8");
    const [count, ...failures] = await page.evaluate((json) => {
      try {
        return window.harness.cases(json);
      } catch (error) {
        return ["0", `trapped: ${error.stack ?? error}`];
      }
    }, json);
    assert.deepEqual(failures, [], `${file}:\n${failures.join("\n")}`);
    // A file of cases is a list of objects, of which only those of a case have a name.
    assert.equal(Number(count), JSON.parse(json).length, file);
    total += Number(count);
  }
  t.diagnostic(`${total} cases`);
  assert.ok(total >= 3600, `${total} cases`);
});

test("models A, B and C in wasm: same counts, same traces", async () => {
  const lines = native("checker");
  assert.equal(lines.length, 21);
  for (const line of lines) {
    const [name, clients, rounds, early, how] = line.split(" ");
    const inside = await page.evaluate(([name, clients, rounds, early, how]) => {
      const check = new window.harness.Check(name, +clients, +rounds, +early, how);
      while (check.advance(1 << 14));
      const [states, transitions, , steps] = check.counts();
      const trace = check.trace();
      check.free();
      return `${name} ${clients} ${rounds} ${early} ${how} ${states} ${transitions} ${steps} ${trace}`;
    }, [name, clients, rounds, early, how]);
    assert.equal(inside, line);
  }
});

test("every variant of every lesson is answered in wasm as claimed", async (t) => {
  const folder = join(ROOT, "dist/lessons");
  let answered = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    const json = readFileSync(join(folder, file), "utf8");
    const lesson = JSON.parse(json);
    for (const [place, variant] of (lesson.variants ?? []).entries()) {
      const { news, states } = await page.evaluate(([json, place]) => {
        const run = new window.harness.Faults(json, place);
        while (run.advance(1 << 12) && !run.is_searched());
        const answer = { news: [...run.news()], states: run.states() };
        run.free();
        return answer;
      }, [json, place]);
      // A search numbers the properties that the variant makes claims of.
      for (const [number, claim] of variant.claims.entries()) {
        const name = `${lesson.id}/${variant.id} ${lesson.properties[claim.property].id}`;
        const at = news.findIndex((one, at) => at % 2 === 0 && one === number);
        // 1 where no run shows it: a run that breaks it, or, for `sometimes`, one where it happens.
        const shown = (lesson.properties[claim.property].kind === "sometimes") === claim.holds;
        assert.equal(news[at + 1], shown ? 0 : 1, name);
        if (variant.states != null) assert.equal(states, variant.states, `${name}: states`);
        answered += 1;
      }
    }
  }
  assert.ok(answered >= 200, `${answered} claims`);
  t.diagnostic(`${answered} claims`);
});

test("crowds in wasm: the same runs, to the last bit of their statistics", async () => {
  const lines = native("crowd");
  assert.equal(lines.length, 5);
  for (const line of lines) {
    const [name, plan] = line.split(" ");
    const inside = await page.evaluate(([name, plan]) => {
      const runs = new window.harness.Runs(name, plan, 3);
      while (!runs.advance(777));
      const said = `${name} ${plan} ${[...runs.counts()].join(" ")} ${runs.digest()}`;
      runs.free();
      return said;
    }, [name, plan]);
    assert.equal(inside, line);
  }
});

/** What the library computes natively of every story, a line each. */
let digests;
const stories = () => (digests ??= command(join(TARGET, "debug/check"), "digests").trim().split("\n"));

test("frames and fingerprints are the same natively and in wasm", async (t) => {
  const lines = stories();
  assert.ok(lines.length >= 50, `${lines.length} stories`);
  const inside = [];
  for (const lesson of new Set(lines.map((line) => line.split(" ", 1)[0]))) {
    const json = readFileSync(join(ROOT, `dist/lessons/${lesson}.json`), "utf8");
    inside.push(...(await page.evaluate((json) => window.harness.digests(json), json)));
  }
  assert.deepEqual(inside, lines);
  const frames = lines.map((line) => line.split(" ").length - 5).reduce((sum, one) => sum + one);
  t.diagnostic(`${frames} frames of ${lines.length} stories compared`);
});

test("the page shows the frames that the library computes", async (t) => {
  const [lesson, variant, , schedule, digest, ...frames] =
    stories().find((line) => line.startsWith("redlock ")).split(" ");
  const page = await open(t, `#lesson=${lesson}&variant=${variant}&mode=schedule&schedule=${schedule}&step=0`);
  const main = page.locator("main.lesson");
  for (const [step, fingerprint] of frames.entries()) {
    await page.locator(`main.lesson[data-step-now="${step}"]`).waitFor();
    assert.equal(await main.getAttribute("data-fingerprint"), fingerprint, `step ${step}`);
    await page.keyboard.press("ArrowRight");
  }
  assert.equal(await main.getAttribute("data-digest"), digest, "the run");
});
