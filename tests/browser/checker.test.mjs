// The checker in wasm gives the same counts, the same distances and the same traces as natively.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { command, loadExample } from "./example.mjs";
import { browser, close } from "./harness.mjs";

after(close);

test("models A, B and C in wasm: same counts, same traces", async () => {
  const native = command("cargo", "run", "--quiet", "--example", "checker").trim().split("\n");
  assert.equal(native.length, 21);
  const page = await (await (await browser()).newContext()).newPage();
  await page.route("http://127.0.0.1:1/", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>checker</title>" }),
  );
  await page.goto("http://127.0.0.1:1/");
  await loadExample(page, "checker");
  for (const line of native) {
    const [name, clients, rounds, early, how] = line.split(" ");
    const inside = await page.evaluate(([name, clients, rounds, early, how]) => {
      const check = new window.example.Check(name, +clients, +rounds, +early, how);
      while (check.advance(1 << 14));
      const [states, transitions, , steps] = check.counts();
      const trace = check.trace();
      check.free();
      return `${name} ${clients} ${rounds} ${early} ${how} ${states} ${transitions} ${steps} ${trace}`;
    }, [name, clients, rounds, early, how]);
    assert.equal(inside, line);
  }
});
