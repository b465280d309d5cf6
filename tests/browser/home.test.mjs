// The front page: a run that the reader steps, what its order comes to, the ways in, a first paint
// that nothing moves away from; and the policy under which the page runs.

import assert from "node:assert/strict";
import test from "node:test";
import { FIRST, firstPicture } from "./first-picture.mjs";
import { LANGUAGES, SIZES, browser, ended, open, serve, still, whole } from "./harness.mjs";
import { hold } from "./kinds.mjs";

const frame = (page) => page.locator(".front .frame");
const at = (page, step) =>
  page.locator(`.front .stage[data-step-now="${step}"]`).waitFor({ state: "attached" });
const step = (page, client) => frame(page).locator(`[data-client="${client}"]`);
const back = (page) => frame(page).locator('[data-move="back"]');
const outcome = (page) => page.locator(".outcome h2").innerText();
const balance = (page) => frame(page).locator('[data-place="value:balance"], .key .val').first().innerText();

test("nothing moves by itself, and the lessons are not in the way", async (t) => {
  const page = await open(t, "", { before: (page) => page.clock.install() });
  await at(page, 0);
  // Whatever waits for a time has had its time.
  await page.clock.runFor(60_000);
  await at(page, 0);
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  assert.match(await outcome(page), /6 possible orders/);
  assert.equal(await balance(page), "10");
  assert.equal(await page.getByRole("main").count(), 1);
  await page.locator(".outcome a.main").click();
  await page.locator("main.lesson").waitFor();
});

for (const size of [1440, 1280, 390]) {
  test(`A B A B in fixed places hits four times, films or not, at ${size} px`, async (t) => {
    for (const calm of [undefined, "who wants no films presses the same places"]) {
      const page = await open(t, "", { size, calm });
      await at(page, 0);
      await step(page, "A").scrollIntoViewIfNeeded();
      const middle = async (client) => {
        const box = await step(page, client).boundingBox();
        return [box.x + box.width / 2, box.y + box.height / 2];
      };
      const places = { A: await middle("A"), B: await middle("B") };
      for (const [number, client] of [..."ABAB"].entries()) {
        await page.mouse.click(...places[client]);
        await at(page, number + 1);
      }
      assert.equal(await outcome(page), "You lost 10. So do 4 of the 6 orders.");
      await still(page);
      assert.equal(await balance(page), "20");
      assert.match(await frame(page).locator(".say").innerText(), /B computed its write \(step 4\) from 10/);
    }
  });

  test(`all that is pressed is in the window at ${size} px, and nothing is cut`, async (t) => {
    for (const language of Object.keys(LANGUAGES)) {
      const page = await open(t, "", { size, language });
      for (let number = 0; number <= 4; number++) {
        await at(page, number);
        await ended(page);
        const seen = await page.evaluate(() => {
          const box = (one) => one.getBoundingClientRect();
          const outer = box(document.querySelector(".frame"));
          const parts = [...document.querySelectorAll(
            ".frame .dock button, .frame .step code, .frame .key .val, .frame .code .text")];
          const out = parts.filter((one) => box(one).bottom > outer.bottom || box(one).right > outer.right);
          const panes = [...document.querySelectorAll(".frame .redis, .frame .lines, .frame .story")];
          const over = panes.filter((one) => one.scrollHeight > one.clientHeight + 1);
          return {
            foot: Math.max(...parts.map((one) => box(one).bottom)) <= innerHeight,
            out: out.map((one) => one.outerHTML.slice(0, 80)),
            over: over.map((one) => one.className),
            wide: document.documentElement.scrollWidth <= innerWidth,
            lines: [...document.querySelectorAll(".frame .code .text")].every((one) => box(one).height < 30),
          };
        });
        const whole = { foot: true, out: [], over: [], wide: true, lines: true };
        if (size < 720) delete whole.foot, delete seen.foot;
        assert.deepEqual(seen, whole, `${language}, step ${number}`);
        if (number < 4) await step(page, "ABAB"[number]).click();
      }
    }
  });
}

test("on a phone the buttons that the first sentence names are not in sight", async (t) => {
  for (const size of [390, 360, 667]) {
    const page = await open(t, "", { size });
    await at(page, 0);
    const { y, height } = await step(page, "A").boundingBox();
    assert.ok(y + height <= page.viewportSize().height, `${size}: Step A ends at ${y + height} px`);
  }
});

test("on a phone no button moves as what it sends grows, and what it sends is one line", async (t) => {
  for (const size of [390, 360, 667]) {
    const page = await open(t, "", { size });
    const boxes = () => page.evaluate(() => [...document.querySelectorAll(".front .dock button")].map((one) => {
      const { x, y, width } = one.getBoundingClientRect();
      return [x, y + scrollY, width].map(Math.round).join(" ");
    }));
    const before = await boxes();
    for (const [number, client] of [..."AB"].entries()) {
      await step(page, client).click();
      await at(page, number + 1);
      assert.deepEqual(await boxes(), before, `${size}: after ${client}`);
    }
    const lines = await page.evaluate(() => [...document.querySelectorAll(".front .step code")].map((one) =>
      Math.round(one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight))));
    assert.ok(lines.length >= 2 && lines.every((one) => one === 1), `${size}: SET balance 20: ${lines}`);
  }
});

test("keys step, and go back; the other order keeps both deposits", async (t) => {
  const page = await open(t);
  await at(page, 0);
  for (const [number, key] of ["a", "A", "2", "b"].entries()) {
    await page.keyboard.press(key);
    await at(page, number + 1);
  }
  assert.equal(await outcome(page), "30: both deposits arrived.");
  assert.equal(await balance(page), "30");
  await page.keyboard.press("b");
  await at(page, 4);
  for (let number = 3; number >= 1; number--) {
    await page.keyboard.press("ArrowLeft");
    await at(page, number);
  }
  await still(page);
  assert.equal(await outcome(page), "1 of 4 commands");
  // What comes after is not given away.
  assert.equal(await frame(page).locator(".diagram svg [data-step]").count(), 1);
  await page.keyboard.press("Control+b");
  await at(page, 1);
  await page.keyboard.press("1");
  await at(page, 2);
});

test("back plays the film backwards, and a press in it is not lost", async (t) => {
  const page = await open(t, "", { before: hold });
  await whole(page);
  await step(page, "A").click();
  await page.waitForFunction(() => document.getAnimations().length > 0);
  await page.evaluate(() => (window.held = false));
  await step(page, "B").click();
  await back(page).click();
  await at(page, 1);
  await back(page).click();
  await at(page, 0);
  await still(page);
  assert.equal(await back(page).isDisabled(), true);
});

test("what moves stays with the page when it is scrolled", async (t) => {
  const page = await open(t, "", { size: 1280, before: hold });
  await at(page, 0);
  await whole(page);
  await page.evaluate(() => scrollTo(0, 80));
  await step(page, "A").click();
  await page.waitForFunction(() => document.getAnimations().length > 0);
  const apart = await page.evaluate(() => {
    const all = document.getAnimations();
    for (const one of all) {
      one.pause();
      one.currentTime = one.effect.getComputedTiming().duration * 0.5;
    }
    const top = (selector) => document.querySelector(selector).getBoundingClientRect().top;
    const first = top(".film .token") - top(".frame .slot");
    scrollTo(0, 20);
    return [first, top(".film .token") - top(".frame .slot")];
  });
  assert.ok(Math.abs(apart[0] - apart[1]) < 1, String(apart));
  assert.ok(apart[0] >= 0 && apart[0] < 60, `the token is in the slot: ${apart}`);
});

test("without motion a step is there at once", async (t) => {
  const page = await open(t, "", { calm: "that there are no films is what is asked" });
  await step(page, "A").click();
  await at(page, 1);
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
});

test("Chinese is written as Chinese, and breaks between words", async (t) => {
  for (const size of [1280, 390]) {
    const page = await open(t, "", { size, language: "zh" });
    for (const client of "BABA") await step(page, client).click();
    assert.equal(await outcome(page), "你丢了 10。6 种顺序里，有 4 种会丢。");
    const lines = await page.evaluate(() => {
      const text = document.querySelector(".hero h1").firstChild;
      const range = document.createRange();
      const lines = new Map();
      for (let i = 0; i < text.length; i++) {
        range.setStart(text, i);
        range.setEnd(text, i + 1);
        const { top } = range.getBoundingClientRect();
        lines.set(top, (lines.get(top) ?? "") + text.data[i]);
      }
      return [...lines.values()];
    });
    assert.ok(lines.every((line) => /[，。]$/.test(line.trim())), JSON.stringify(lines));
  }
});

test("the run stays while another page is shown", async (t) => {
  const page = await open(t);
  await step(page, "B").click();
  await at(page, 1);
  await page.locator(".outcome a.main").click();
  await page.locator("main.lesson").waitFor();
  await page.goBack();
  await at(page, 1);
  await page.locator("button.lang").click();
  assert.equal(await outcome(page), "4 条命令，已执行 1 条");
});

test("the list is found again where it was left", async (t) => {
  const page = await open(t);
  const top = () => page.evaluate(() => scrollY);
  for (const lesson of ["watchdog", "lost-update"]) {
    const card = page.locator(`.chapter a[href*="lesson=${lesson}&"]`).first();
    await card.scrollIntoViewIfNeeded();
    const left = await top();
    assert.ok(left > 200, `${left} px`);
    await card.click();
    await page.locator("main.situation").waitFor();
    assert.equal(await top(), 0);
    await page.goBack();
    await page.locator("main.home").waitFor();
    assert.equal(await top(), left);
  }
  // A link to it leads to its start.
  await page.locator('.chapter a[href*="lesson=watchdog&"]').first().click();
  await page.locator("main.situation").waitFor();
  await page.locator("header a").first().click();
  await page.locator("main.home").waitFor();
  assert.equal(await top(), 0);
});

test("the ways in lead where they say, in both languages", async (t) => {
  for (const language of ["en", "zh"]) {
    const page = await open(t, "", { language });
    const links = await page.locator(".ways a").evaluateAll((all) =>
      all.map((a) => a.getAttribute("href")),
    );
    assert.deepEqual(links, [
      `#page=playground&lang=${language}`,
      `#page=embed&lang=${language}`,
      `#page=glossary&lang=${language}`,
    ]);
    const main = page.locator(".outcome a.main");
    assert.equal(await main.getAttribute("href"), `#lesson=lost-update&lang=${language}`);
  }
});

for (const size of [1280, 390]) {
  test(`nothing moves when the page takes over from its first paint, at ${size} px`, async (t) => {
    const page = await open(t, "", { size });
    await at(page, 0);
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

for (const language of ["en", "zh"]) {
  test(`the first paint has the run as the program draws it, in ${language}`, async (t) => {
    const page = await open(t, "", { ...FIRST, language });
    const drawn = await firstPicture(page);
    const context = await (await browser()).newContext({ javaScriptEnabled: false });
    t.after(() => context.close());
    const painted = await context.newPage();
    await painted.goto(await serve());
    const frame = painted.locator(`#first > [lang|="${language}"] .front .frame`);
    assert.equal(await frame.innerHTML(), drawn, "make record writes it anew");
  });
}

for (const size of [1440, 390]) {
  test(`what is pressed on the first paint is done when the program has come, at ${size} px`, async (t) => {
    let release;
    const free = new Promise((resolve) => (release = resolve));
    const held = (page) => page.route(/_bg\.wasm$/, async (route) => (await free, await route.continue()));
    const context = await (await browser()).newContext({ viewport: SIZES[size], locale: LANGUAGES.en, serviceWorkers: "block" });
    t.after(() => context.close());
    const page = await context.newPage();
    await held(page);
    await page.goto(await serve(), { waitUntil: "domcontentloaded" });
    const places = () => page.evaluate(() => [".step.c0", ".step.c1", ".key .val", ".code .text"].map((one) => {
      const { x, y, width, height } = document.querySelector(`.front .frame ${one}`).getBoundingClientRect();
      return [x, y + scrollY, width, height].map(Math.round).join(" ");
    }));
    await page.locator('#first [data-client="A"]:visible').click();
    await page.locator('.later-coming[role="status"]').waitFor();
    await page.keyboard.press("b");
    const before = await places();
    release();
    await at(page, 2);
    assert.equal(await page.locator(".later-coming").count(), 0);
    await back(page).click();
    await back(page).click();
    await at(page, 0);
    await still(page);
    assert.deepEqual(await places(), before, "nothing moves");
  });
}

test("the policy holds, and forbids scripts that are not the page's", async (t) => {
  const page = await open(t, "#lesson=lost-update&variant=naive&mode=find");
  const answer = await page.request.get(await serve());
  const policy = answer.headers()["content-security-policy"];
  assert.match(policy, /script-src 'self' 'wasm-unsafe-eval' 'sha256-/);
  assert.doesNotMatch(policy, /unsafe-inline'[^;]*;\s*script|\{/);
  // The checker's worker runs under it …
  await page.getByText(/shortest run/).first().waitFor();
  // … and what slips into the page does not.
  const ran = await page.evaluate(() => {
    const script = document.createElement("script");
    // As a text's node: Trusted Types refuse all other ways before this.
    script.append("window.slipped = true");
    document.head.append(script);
    return Boolean(window.slipped);
  });
  assert.equal(ran, false);
  const complaints = page.problems.splice(0);
  assert.notEqual(complaints.length, 0);
  for (const one of complaints) assert.match(one, /Content Security Policy|TrustedScript/);
});

test("the checker works on the page under the policy, where there are no workers", async (t) => {
  const page = await open(t);
  await page.addInitScript(() => {
    window.Worker = class {
      constructor() {
        throw new DOMException("refused", "SecurityError");
      }
    };
  });
  await page.goto(`${await serve()}?#lesson=lost-update&variant=naive&mode=find`);
  await page.getByText(/shortest run/).first().waitFor();
});

test("the sentence does not move while a film changes it", async (t) => {
  const page = await open(t, "", { size: 1440 });
  await at(page, 0);
  await whole(page);
  const left = await page.locator(".frame .story p").first().evaluate((one) => one.getBoundingClientRect().left);
  await page.evaluate(() => {
    window.lefts = new Set();
    const look = () => {
      for (const one of document.querySelectorAll(".ghost .story p")) window.lefts.add(one.getBoundingClientRect().left);
      requestAnimationFrame(look);
    };
    look();
  });
  await step(page, "A").click();
  await at(page, 1);
  await still(page);
  assert.deepEqual(await page.evaluate(() => [...window.lefts].map(Math.round)), [Math.round(left)]);
});

test("the diagram's last name and the bracket of a collision keep off the border", async (t) => {
  for (const size of [1440, 1280, 390]) {
    const page = await open(t, "", { size, calm: "what is laid out is measured, not its film" });
    for (const client of "ABAB") await step(page, client).click();
    await at(page, 4);
    const [pane, ...inner] = await page.evaluate(() =>
      [".frame .time", ".frame .heads b:last-of-type", ".frame .join"].map((one) =>
        document.querySelector(one).getBoundingClientRect().right));
    for (const right of inner) assert.ok(pane - right >= 8, `${size}: ${pane - right} px`);
  }
});
