// A seed is the same run of a crowd in wasm as natively, to the last bit of its statistics.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { command, loadExample } from "./example.mjs";
import { browser, close } from "./harness.mjs";

after(close);

test("crowds in wasm: the same runs", async () => {
  const native = command("cargo", "run", "--quiet", "--example", "crowd").trim().split("\n");
  assert.equal(native.length, 5);
  const page = await (await (await browser()).newContext()).newPage();
  await page.route("http://127.0.0.1:1/", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>crowd</title>" }),
  );
  await page.goto("http://127.0.0.1:1/");
  await loadExample(page, "crowd");
  for (const line of native) {
    const [name, plan] = line.split(" ");
    const inside = await page.evaluate(([name, plan]) => {
      const runs = new window.example.Runs(name, plan, 3);
      while (!runs.advance(777));
      const said = `${name} ${plan} ${[...runs.counts()].join(" ")} ${runs.digest()}`;
      runs.free();
      return said;
    }, [name, plan]);
    assert.equal(inside, line);
  }
});
