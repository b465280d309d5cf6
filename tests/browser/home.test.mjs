// The front page: a run that plays and can be stopped, the ways in, a first paint that nothing moves
// away from; and the policy under which the page runs.

import assert from "node:assert/strict";
import test from "node:test";
import { LANGUAGES, SIZES, open, serve } from "./harness.mjs";

const demo = (page) => page.locator("section.demo");
const at = (page, step) => page.locator(`section.demo[data-step-now="${step}"]`).waitFor();

test("it plays by itself, and stops when told", async (t) => {
  const page = await open(t, "", { motion: true });
  await at(page, 2);
  await demo(page).getByRole("button", { name: "Pause" }).click();
  const step = await demo(page).getAttribute("data-step-now");
  await demo(page).getByRole("button", { name: "Play" }).waitFor();
  assert.match(await demo(page).innerText(), new RegExp(`step ${step} of 4`));
  // Two more of its beats: a run that went on would be elsewhere.
  await page.evaluate(() => new Promise((done) => setTimeout(done, 4500)));
  assert.equal(await demo(page).getAttribute("data-step-now"), step, "it stays where it was stopped");
});

test("without motion it shows how it ends, and can be stepped", async (t) => {
  const page = await open(t);
  await at(page, 4);
  assert.match(await demo(page).innerText(), /one update is lost/);
  assert.match(await demo(page).locator(".chip.bad").innerText(), /\S/);
  await demo(page).getByRole("button", { name: "Back" }).click();
  await at(page, 3);
  await demo(page).locator("svg [data-step='1'] .hit").click();
  await at(page, 1);
  await demo(page).getByRole("link", { name: "Step it yourself" }).click();
  await page.locator("main.lesson").waitFor();
  await page.goBack();
  await at(page, 1);
});

for (const language of Object.keys(LANGUAGES)) {
  for (const size of Object.keys(SIZES)) {
    test(`every step has room at ${size} px, ${language}`, async (t) => {
      const page = await open(t, "", { size, language });
      await at(page, 4);
      for (let step = 4; step > 0; step--) {
        await at(page, step);
        const cut = await demo(page).evaluate((box) => {
          const svg = box.querySelector("svg").getBoundingClientRect();
          const pane = box.querySelector(".diagram");
          const whole = pane.scrollHeight <= pane.clientHeight + 1;
          const inside = [...box.children].every((one) => {
            const { bottom } = one.getBoundingClientRect();
            return bottom <= box.getBoundingClientRect().bottom;
          });
          return { whole, inside, wide: svg.width <= pane.clientWidth + 1 };
        });
        assert.deepEqual(cut, { whole: true, inside: true, wide: true }, `step ${step}`);
        await demo(page).getByRole("button").first().click();
      }
    });
  }
}

test("the ways in lead where they say, in both languages", async (t) => {
  for (const language of ["en", "zh"]) {
    const page = await open(t, "", { language });
    const links = await page.locator(".ways a").evaluateAll((all) =>
      all.map((a) => a.getAttribute("href")),
    );
    assert.deepEqual(links, [
      `#lesson=lost-update&lang=${language}`,
      `#page=playground&lang=${language}`,
      `#page=embed&lang=${language}`,
    ]);
  }
});

for (const size of [1280, 390]) {
  test(`nothing moves when the page takes over from its first paint, at ${size} px`, async (t) => {
    const page = await open(t, "", { size, motion: true });
    await at(page, 2);
    const moved = await page.evaluate(
      () =>
        new Promise((done) => {
          new PerformanceObserver((list) =>
            done(list.getEntries().reduce((sum, entry) => sum + entry.value, 0)),
          ).observe({ type: "layout-shift", buffered: true });
          requestAnimationFrame(() => requestAnimationFrame(() => done(0)));
        }),
    );
    assert.ok(moved < 0.02, `shifts add up to ${moved}`);
  });
}

test("the first paint has the words of the page, in the language of the reader", async (t) => {
  const { browser } = await import("./harness.mjs");
  const context = await (await browser()).newContext({ locale: "zh-CN", serviceWorkers: "block" });
  t.after(() => context.close());
  const page = await context.newPage();
  // The page's program never comes.
  await page.route(/_bg\.wasm$/, () => {});
  const address = await serve();
  await page.goto(address, { waitUntil: "domcontentloaded" });
  await page.getByRole("heading", { level: 1, name: "两个客户端" }).waitFor();
  assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1, "the other one is hidden");
  await page.goto(`${address}?1#lesson=lost-update`, { waitUntil: "domcontentloaded" });
  await page.getByText("正在加载课程").waitFor();
  assert.equal(await page.getByRole("heading", { level: 1 }).count(), 0);
  await page.getByText("丢失更新", { exact: true }).waitFor();
  await page.getByText("两个客户端各给余额 10 加上 10，最后必须是 30。", { exact: true }).waitFor();
});

test("the policy holds, and forbids scripts that are not the page's", async (t) => {
  const page = await open(t, "#lesson=lost-update&variant=naive&mode=find");
  const answer = await page.request.get(await serve());
  const policy = answer.headers()["content-security-policy"];
  assert.match(policy, /script-src 'self' 'wasm-unsafe-eval' 'sha256-/);
  assert.doesNotMatch(policy, /unsafe-inline'[^;]*;\s*script|\{/);
  // The checker's worker runs under it …
  await page.getByRole("button", { name: "Find a bad schedule" }).click();
  await page.getByText(/shortest run/).first().waitFor();
  // … and what slips into the page does not.
  const ran = await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.slipped = true";
    document.head.append(script);
    return Boolean(window.slipped);
  });
  assert.equal(ran, false);
  const complaints = page.problems.splice(0);
  assert.equal(complaints.length, 1, complaints.join("\n"));
  assert.match(complaints[0], /Content Security Policy/);
});

test("the checker works on the page under the policy, where there are no workers", async (t) => {
  const page = await open(t, "", {});
  await page.addInitScript(() => {
    window.Worker = class {
      constructor() {
        throw new DOMException("refused", "SecurityError");
      }
    };
  });
  await page.goto(`${await serve()}?#lesson=lost-update&variant=naive&mode=find`);
  await page.getByRole("button", { name: "Find a bad schedule" }).click();
  await page.getByText(/shortest run/).first().waitFor();
});
