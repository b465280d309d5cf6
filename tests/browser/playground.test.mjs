// The playground: a scenario is written by keyboard alone, stepped, searched, shared, saved, opened
// again; mistakes stand where they are made; nothing that was written is lost.

import assert from "node:assert/strict";
import test from "node:test";
import zlib from "node:zlib";
import { addressSays, menu, open, openUnchecked, saved } from "./harness.mjs";

const area = (page) => page.locator(".own .editor textarea");
const own = (page) => page.locator("main.own");
const fine = (page) => page.locator('main.own[data-mistakes="0"]');
const button = (page, name) => page.locator(`[data-own="${name}"]`);
const field = (page, label) => page.getByLabel(label, { exact: true });
const texts = (page, name) => page.locator(".own-tabs button", { hasText: name });

/** Presses Tab until `selector` has the focus. */
async function tabTo(page, selector) {
  for (let presses = 0; presses < 120; presses += 1) {
    if (await page.evaluate((s) => document.activeElement?.matches(s) ?? false, selector)) return;
    // In an editor Tab indents.
    if (await page.evaluate(() => document.activeElement?.closest(".editor") != null)) {
      await page.keyboard.press("Escape");
    }
    await page.keyboard.press("Tab");
  }
  assert.fail(`the keyboard never gets to ${selector}`);
}

async function type(page, text) {
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

/** The address, once what was written is in it. */
async function shared(page) {
  await page.waitForFunction(() => location.hash.includes("scenario="));
  return page.evaluate(() => location.hash);
}

const READER = `local n = redis.call("GET", "gold")\nredis.call("SET", "gold", n - 1)\n`;
const OTHER = `redis.call("DECRBY", "gold", 5)\n`;

test("by keyboard alone: two programs are written, stepped, and found to break", async (t) => {
  const page = await open(t, "#page=playground&lang=en");
  await area(page).waitFor();
  await tabTo(page, ".own .editor textarea");
  await type(page, READER);
  await tabTo(page, ".own-texts .add");
  await page.keyboard.press("Enter");
  await texts(page, "program1.lua").waitFor();
  await tabTo(page, ".own .editor textarea");
  await type(page, OTHER);
  // The setup is the last of the texts.
  await texts(page, "Setup").focus();
  await page.keyboard.press("Enter");
  await tabTo(page, ".own .editor textarea");
  await type(page, "SET gold 9\n");
  await tabTo(page, '[aria-label="Program of client B"]');
  await page.keyboard.press("ArrowDown");
  await tabTo(page, ".own .check");
  await type(page, 'not all_done() or number("gold") == 3');
  await fine(page).waitFor();
  await texts(page, "count.lua").focus();
  await page.keyboard.press("Enter");
  await tabTo(page, ".own .editor textarea");
  await page.keyboard.press("Control+Enter");
  await page.locator("main.lesson").waitFor();
  for (const key of ["1", "2", "1"]) await page.keyboard.press(key);
  await page.locator('main.lesson[data-step-now="3"]').waitFor();
  await page.locator(".chip.bad").waitFor();
  await page.keyboard.press("s");
  const answer = page.locator('[data-question="p1"]');
  await answer.filter({ hasText: "breaks" }).waitFor();
  assert.match(await answer.innerText(), /3 steps/);
});

test("a link leads to the same scenario and the same run", async (t) => {
  const page = await open(t, "#page=playground&lang=en");
  await area(page).fill(READER);
  await texts(page, "Setup").click();
  await area(page).fill("SET gold 9");
  await page.locator(".own .check").fill('number("gold") >= 8');
  await fine(page).waitFor();
  await page.locator('[data-mode="schedule"]').click();
  for (const key of ["1", "1", "2"]) await page.keyboard.press(key);
  await page.keyboard.press("ArrowLeft");
  await page.locator('main.lesson[data-step-now="2"]').waitFor();
  await addressSays(page, "step", "2");
  const address = await shared(page);
  assert.match(address, /schedule=A1\.A2\.B1&step=2/);
  assert.ok(address.length < 1_000, `${address.length} characters`);
  // Others can read it: it is what browsers call deflate-raw.
  const code = /scenario=([^&]+)/.exec(address)[1];
  const json = JSON.parse(zlib.inflateRawSync(Buffer.from(code, "base64url")));
  assert.equal(json.programs[0].text, READER);
  const digest = await page.locator("main.lesson").getAttribute("data-digest");
  const other = await open(t, address);
  await other.locator('main.lesson[data-step-now="2"]').waitFor();
  assert.equal(await other.locator("main.lesson").getAttribute("data-digest"), digest);
  // What others deflated is read, too.
  const theirs = { ...json, title: "By hand" };
  const packed = zlib.deflateRawSync(JSON.stringify(theirs), { level: 9 }).toString("base64url");
  const third = await open(t, `#page=playground&lang=en&scenario=${packed}`);
  await third.locator("h1", { hasText: "By hand" }).waitFor();
  const broken = await open(t, "#page=playground&lang=en&scenario=AAAA");
  await broken.locator(".banner", { hasText: "damaged" }).waitFor();
  await area(broken).waitFor();
});

test("what has no room in a link says so, and is kept all the same", async (t) => {
  const page = await open(t, "#page=playground&lang=en");
  // Nothing in it comes twice, so nothing is to be gained by packing it.
  let seed = 1;
  const noise = Array.from({ length: 15_500 }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return String.fromCharCode(35 + (seed >>> 16) % 56);
  }).join("");
  await area(page).fill(`-- ${noise}\nredis.call("INCR", "n")\n`);
  await fine(page).waitFor();
  await page.locator(".head .share").click();
  await page.locator(".share-dialog", { hasText: "too long for a link" }).waitFor();
  await page.locator(".share-dialog").getByRole("button", { name: "Close" }).click();
  await page.reload();
  assert.match(await area(page).inputValue(), /^-- /);
});

test("a draft survives a reload, and so does what was before it", async (t) => {
  const page = await open(t, "#page=playground&lang=en");
  const first = await area(page).inputValue();
  await area(page).fill(READER);
  await fine(page).waitFor();
  // Not even the pause in typing is waited for.
  await page.reload();
  assert.equal(await area(page).inputValue(), READER);
  await area(page).fill(OTHER);
  await shared(page);
  await page.waitForFunction(() => localStorage["interleave.own.past"]?.includes("GET"));
  await page.reload();
  assert.equal(await area(page).inputValue(), OTHER);
  await button(page, "undo").click();
  await page.waitForFunction(
    (text) => document.querySelector(".own textarea").value === text, READER);
  await button(page, "undo").click();
  await page.waitForFunction(
    (text) => document.querySelector(".own textarea").value === text, first);
  await button(page, "redo").click();
  await page.waitForFunction(
    (text) => document.querySelector(".own textarea").value === text, READER);
  // Starting afresh asks first, and can be undone with the keyboard.
  await button(page, "reset").click();
  assert.equal(await area(page).inputValue(), READER);
  await button(page, "reset").click();
  await page.waitForFunction(
    (text) => document.querySelector(".own textarea").value === text, first);
  await area(page).focus();
  await page.keyboard.press("Control+z");
  await page.waitForFunction(
    (text) => document.querySelector(".own textarea").value === text, READER);
});

test("where storage is forbidden it works, and the address remembers", async (t) => {
  const page = await openUnchecked();
  t.after(() => page.context().close());
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", { get() { throw new Error("forbidden"); } });
  });
  await page.goto(page.url().replace(/#.*/, "") + "?again#page=playground&lang=en");
  await area(page).fill(READER);
  await shared(page);
  await page.reload();
  await page.waitForFunction(
    (text) => document.querySelector(".own textarea")?.value === text, READER);
});

test("mistakes stand at their line, and what was right can still be stepped", async (t) => {
  const page = await open(t, "#page=playground&lang=en");
  await area(page).fill(`${READER}if n then`);
  await page.locator('main.own[data-mistakes="1"]').waitFor();
  await page.locator(".editor .line.wrong").waitFor();
  assert.match(await page.locator("#own-wrong").innerText(), /line 3.*not Lua.*Lua 5\.1/s);
  assert.equal(await area(page).getAttribute("aria-invalid"), "true");
  await texts(page, "Setup").click();
  await area(page).fill("SET gold 9\nSTE gold 9\nSET 'open\n");
  await page.locator(".editor .line.wrong").nth(1).waitFor();
  assert.match(await page.locator("#own-wrong").innerText(), /STE/);
  await page.locator(".own .check").fill("number('n' > 1");
  await page.locator(".own-properties .failure").waitFor();
  await page.locator('main.own[data-mistakes="4"]').waitFor();
  // The list leads to the text.
  await page.locator(".own-state button", { hasText: "count.lua" }).click();
  await page.waitForFunction(() =>
    document.querySelector(".own textarea").value.includes("if n then"));
  await page.locator('[data-mode="schedule"]').click();
  await page.locator(".own-stale").waitFor();
  await page.keyboard.press("1");
  await page.locator('main.lesson[data-step-now="1"]').waitFor();
  await page.locator(".own-stale button").click();
  await own(page).waitFor();
});

test("it is saved as a lesson's folder, and opened from a file or by dropping one", async (t) => {
  const page = await open(t, "#page=playground&lang=en");
  await field(page, "Title").fill("Gold rush");
  await area(page).fill(READER);
  await texts(page, "Setup").click();
  await area(page).fill("SET gold 9\n");
  await page.locator(".own .check").fill("number('gold') >= 7");
  // What the author expects goes with it.
  const ticks = page.locator(".own-properties .own-tick input");
  await ticks.first().check();
  await page.getByLabel("A client is expected to get stuck in some order").check();
  await fine(page).waitFor();
  const { name, bytes } = await saved(page, () => button(page, "save").click());
  assert.equal(name, "gold-rush.zip");
  assert.ok(bytes.includes("gold-rush/lesson.toml") && bytes.includes("gold-rush/zh.md"));
  await button(page, "reset").click();
  await button(page, "reset").click();
  await page.waitForFunction(() => !document.querySelector(".own-title input").value);
  const file = { name: "gold-rush.zip", mimeType: "application/zip", buffer: bytes };
  await page.locator(".open-file input").setInputFiles(file);
  await page.waitForFunction(() => document.querySelector(".own-title input").value === "Gold rush");
  assert.equal(await area(page).inputValue(), READER);
  // A lesson has a "sometimes", too, which is not one of the scenario.
  assert.deepEqual(await ticks.evaluateAll((all) => all.map((one) => one.checked)), [true, true]);
  // Dropped on another page it opens here.
  await page.evaluate(() => { location.hash = "#page=glossary&lang=en"; });
  await page.locator("main.glossary").waitFor();
  const json = JSON.stringify({
    title: "Dropped",
    programs: [{ name: "one", text: 'redis.call("INCR", "x")' }],
    properties: [{ kind: "sometimes", check: "all_done()" }],
  });
  const drop = (name, text) => page.evaluate(([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    for (const kind of ["dragover", "drop"]) {
      const event = new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
      document.body.dispatchEvent(event);
      if (!event.defaultPrevented) throw new Error(`${kind} is left to the browser`);
    }
  }, [name, text]);
  await drop("mine.json", json);
  await page.waitForFunction(() => document.querySelector(".own-title input")?.value === "Dropped");
  assert.match(await area(page).inputValue(), /INCR/);
  // What is no scenario is refused in words, and nothing changes.
  await drop("photo.gif", "GIF89a");
  await page.locator(".banner", { hasText: "photo.gif: this is neither a zip nor JSON" }).waitFor();
  await drop("bad.json", '{\n"programs": [\n}');
  await page.locator(".banner", { hasText: "bad.json, line 3" }).waitFor();
  assert.equal(await field(page, "Title").inputValue(), "Dropped");
});

test("a lesson's variant and its run go on in the playground", async (t) => {
  const page = await open(t, "#lesson=lost-update&variant=naive&schedule=A1.B1&step=2&lang=en");
  await menu(page, "own");
  await own(page).waitFor();
  assert.match(await area(page).inputValue(), /balance/);
  await page.locator('[data-mode="schedule"]').click();
  await page.locator('main.lesson[data-step-now="2"]').waitFor();
  await page.goBack();
  await page.locator("h1", { hasText: /lost update/i }).waitFor();
});

/** What stands beside the editor, once it and its map are about the text as it is. */
const live = (page, how) =>
  page.locator(`.own-live[data-live="${how}"][data-search][data-map]`);

test("beside the editor the verdict follows what is typed", async (t) => {
  const page = await open(t, "#page=playground&lang=en");
  await live(page, "bad").waitFor();
  assert.match(await page.locator(".own-verdict").innerText(), /Breaks in 4 steps/);
  assert.match(await page.locator(".own-map").innerText(), /Of 6 orders 4 go wrong/);
  const places = () => page.evaluate(() => [".own-verdict", ".own-map"].map((place) =>
    document.querySelector(place).getBoundingClientRect().top));
  const before = await places();
  // The lines that the run calls from, and who calls.
  const called = () => page.locator(".editor .called").evaluateAll((all) => all.map((one) => one.dataset.by));
  assert.deepEqual(await called(), ["AB", "BA"]);
  // A fix turns it.
  await area(page).fill('redis.call("INCR", "n")\n');
  await live(page, "ok").waitFor();
  assert.match(await page.locator(".own-verdict").innerText(), /Holds in every order/);
  assert.deepEqual(await called(), []);
  assert.match(await page.locator(".own-map").innerText(), /All 2 orders go right/);
  assert.deepEqual(await places(), before, "nothing jumps");
  // A typo has its words at its line; what was found stands below it, dimmed.
  await area(page).fill('redis.call("INCR", "n"\n');
  await page.locator('.own-live[data-live="mistake"]').waitFor();
  await page.locator(".editor .line.wrong em", { hasText: "expected" }).waitFor();
  await page.locator(".own-map.old", { hasText: "All 2 orders go right" }).waitFor();
  assert.deepEqual(await places(), before, "nothing jumps");
  // An error that a client comes to alone has its line, too.
  await area(page).fill('local n = redis.call("GET", "m")\nredis.call("SET", "n", n + 1)\n');
  await live(page, "bad").waitFor();
  await page.locator(".editor .line.wrong", { hasText: "arithmetic" }).waitFor();
  assert.match(await page.locator("#own-wrong").innerText(), /Line 2: .*Client A alone/);
  // What breaks can be watched, and what Find shows was found already.
  await area(page).fill(READER.replaceAll("gold", "n"));
  await live(page, "bad").waitFor();
  await page.locator('[data-live-do="watch"]').click();
  await page.locator('main.lesson[data-step-now="4"]').waitFor();
  assert.equal(await page.locator(".strip .cell").count(), 4);
  await page.locator('[data-mode="find"]').click();
  await page.locator('main.find [data-question="p1"]', { hasText: "breaks" }).waitFor();
});

test("the run that breaks it is given a name, which its link carries", async (t) => {
  const page = await open(t, "#page=playground&lang=en");
  await live(page, "bad").waitFor();
  await field(page, "Name of this run, for its link (optional)").fill("both read 0");
  await page.locator('[data-live-do="watch"]').click();
  const name = (page) => page.locator(".goal .run-name");
  assert.equal(await name(page).innerText(), "both read 0");
  assert.match(await page.title(), /^both read 0 · /);
  // It is changed where the link is copied; the link follows at once.
  await menu(page, "share");
  await page.locator('.share-dialog [data-export="link"]:focus').waitFor();
  await page.locator('.share-dialog [data-export="name"]').fill("读到 0");
  const link = await page.locator(".share-dialog input[readonly]").inputValue();
  const other = await open(t, new URL(link).hash);
  await name(other).waitFor();
  assert.equal(await name(other).innerText(), "读到 0");
});

test("a template opens, and a condition is chosen by its name", async (t) => {
  const page = await open(t, "#page=playground&lang=en");
  await button(page, "examples").click();
  const templates = page.locator(".own-examples.templates button");
  await templates.first().waitFor();
  assert.equal(await templates.count(), 5);
  await templates.filter({ hasText: "Stock" }).click();
  await live(page, "bad").waitFor();
  assert.match(await area(page).inputValue(), /DECR/);
  await area(page).fill(`if redis.call("DECR", "stock") >= 0 then
  sold = 1
else
  redis.call("INCR", "stock")
end
`);
  // One of the two conditions is too strict for that.
  await page.locator('[data-answer="p1"].ok').waitFor();
  await page.locator('[data-answer="p2"].bad').waitFor();
  const choice = field(page, "Condition 2");
  assert.equal(await choice.evaluate((one) => one.selectedIndex), 4);
  assert.equal(await page.locator(".own .check").nth(1).inputValue(), '(number("stock") or 0) >= 0');
  await choice.selectOption({ index: 8 });
  assert.equal(await page.locator(".own .check").nth(1).inputValue(), "all_done()");
  await live(page, "ok").waitFor();
  // What was there before the template comes back.
  await button(page, "reset").click();
  await button(page, "reset").click();
  await button(page, "back").click();
  await page.waitForFunction(() => document.querySelector(".own textarea").value.includes("DECR"));
});

for (const language of ["en", "zh"]) {
  test(`every example opens without a mistake (${language})`, async (t) => {
    const page = await open(t, `#page=playground&lang=${language}`, { language });
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await own(page).waitFor();
    assert.ok(!asked.some((url) => url.includes("examples")), "not before they are asked for");
    await button(page, "examples").click();
    const examples = page.locator(".own-examples button");
    await examples.first().waitFor();
    const count = await examples.count();
    assert.ok(count >= 15);
    for (let number = 0; number < count; number += 1) {
      const title = await examples.nth(number).locator("b").innerText();
      await examples.nth(number).click();
      await page.waitForFunction(
        (title) => document.querySelector(".own-title input").value === title, title);
      await fine(page).waitFor();
      await button(page, "examples").click();
      await examples.first().waitFor();
    }
  });
}

for (const [size, language] of [[390, "zh"], [800, "en"], [1280, "zh"]]) {
  test(`nothing sticks out, and fingers find everything (${size}, ${language})`, async (t) => {
    const page = await open(t, `#page=playground&lang=${language}`, { size, language });
    await button(page, "examples").click();
    await page.locator(".own-examples button").nth(11).click();
    await fine(page).waitFor();
    const wide = await page.evaluate(() =>
      document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${wide} px too wide`);
    const pressed = await page.evaluate(() =>
      [...document.querySelectorAll(".own-bar, .own-verdict")]
        .filter((one) => one.scrollHeight > one.clientHeight + 1)
        .map((one) => `${one.className}: ${one.scrollHeight} px in ${one.clientHeight}`));
    assert.deepEqual(pressed, [], "lower than what is in it");
    if (size === 390) {
      const small = await page.evaluate(() =>
        [...document.querySelectorAll(".own button, .own select, .own input, .own .open-file")]
          .filter((one) => !["file", "checkbox"].includes(one.type))
          .map((one) => [one.textContent || one.ariaLabel, one.getBoundingClientRect()])
          .filter(([, box]) => box.height > 0 && box.height < 43.5)
          .map(([name, box]) => `${name}: ${box.height}`));
      assert.deepEqual(small, []);
    }
    // In the other language, in place.
    const title = await page.locator(".own-title input").inputValue();
    await page.locator(".head .lang").click();
    await page.locator(`[data-own="save"]`, {
      hasText: language === "zh" ? "Save as a zip" : "存为 zip",
    }).waitFor();
    assert.equal(await page.locator(".own-title input").inputValue(), title);
  });
}

test("in a lesson's editor, what a button changed can be undone", async (t) => {
  const page = await open(t, "#lesson=lost-update&mode=fix&lang=en");
  const text = page.locator(".fix .editor textarea");
  await text.fill("local mine = 1");
  await page.locator('[data-fix="answer"]').click();
  await page.getByRole("button", { name: "Put it into the editor" }).click();
  await page.waitForFunction(() => !document.querySelector(".fix textarea").value.includes("mine"));
  await text.focus();
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() =>
    document.querySelector(".fix textarea").value === "local mine = 1");
  await page.keyboard.press("Control+y");
  await page.waitForFunction(() => !document.querySelector(".fix textarea").value.includes("mine"));
  await page.locator('[data-fix="undo"]').click();
  await page.reload();
  assert.equal(await text.inputValue(), "local mine = 1", "the draft is what undo left");
  // A link carries the program packed; earlier links carried it plainly.
  await text.fill('redis.call("INCRBY", "balance", 10)\n');
  await page.locator('[data-fix="step"]').click();
  await page.waitForFunction(() => location.hash.includes("code="));
  const address = await page.evaluate(() => location.hash);
  const other = await open(t, address);
  await other.locator(".listing .code", { hasText: "INCRBY" }).first().waitFor();
  const plain = "#lesson=lost-update&variant=yours&mode=schedule&lang=en&program=" +
    encodeURIComponent('redis.call("INCRBY", "balance", 10)\n');
  const third = await open(t, plain);
  await third.locator(".listing .code", { hasText: "INCRBY" }).first().waitFor();
});
