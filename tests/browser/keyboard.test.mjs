// Everything by keyboard alone. First every kind of page: whatever can be pressed takes the keyboard, and
// one sees where one is; a walk with Tab, in turn, where something could keep it. Then the things one does,
// by keys only.

import assert from "node:assert/strict";
import test from "node:test";
import { drawn, open, opened, still, turn, visited, whole } from "./harness.mjs";

const LESSON = "#lesson=lost-update&variant=naive";
const PAGES = [
  ["the front page", "", ".front svg"],
  ["the glossary", "#page=glossary", ".glossary dt"],
  ["the guide", "#lesson=choosing", ".guide .choice"],
  ["Situation", `${LESSON}&mode=situation`, "main.situation"],
  ["Watch, at its question", `${LESSON}&mode=watch&step=3`, ".ask"],
  ["Schedule", `${LESSON}&mode=schedule&schedule=A1.B1&step=1`, "main.lesson"],
  ["a lesson with faults", "#lesson=expire-apart&mode=schedule", "main.lesson"],
  ["Break it", `${LESSON}&mode=break`, "main.lesson"],
  ["the menu", `${LESSON}&mode=schedule`, "main.lesson", opened],
  ["Find", `${LESSON}&mode=find`, "main.find"],
  ["Fix it", `${LESSON}&mode=fix`, "main.fix"],
  ["Rule", `${LESSON}&mode=review`, "main.review"],
  ["the presenter view", `${LESSON}&mode=watch&step=2&present=1`, ".presenting main.lesson"],
];

/** Numbers everything that can be pressed or typed into, and counts it. */
const mark = () => {
  for (const one of document.querySelectorAll("[data-number]")) delete one.dataset.number;
  const all = document.querySelectorAll(
    "a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex='0']",
  );
  const shown = [...all].filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest("dialog:not([open])"));
  shown.forEach((one, number) => (one.dataset.number = number));
  return shown.map((one) => `${one.tagName} ${one.className} ${one.innerText?.slice(0, 30) || one.ariaLabel}`);
};

/** Where the keyboard is: the number of the element, and what keeps one from seeing it. */
const here = () => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const { left, top, right, bottom } = one.getBoundingClientRect();
  const style = getComputedStyle(one);
  const ring = [style, getComputedStyle(one.parentElement)].some(
    ({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && parseFloat(outlineWidth) >= 1,
  );
  const outside = right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight;
  const wrong = [!ring && "no ring", outside && "out of sight"].filter(Boolean).join(", ");
  return { number: one.dataset.number, wrong, what: one.outerHTML.slice(0, 90) };
};

/** Gives the keyboard to each control, one after the other, as Tab would: those that do not take it, or not in sight. */
const given = async (here) => {
  const faults = [];
  const at = new Function(`return (${here})()`);
  for (const one of document.querySelectorAll("[data-number]")) {
    one.focus();
    const { number, wrong, what } = at() ?? {};
    if (number !== one.dataset.number || one.tabIndex < 0) faults.push(`Tab does not reach ${one.outerHTML.slice(0, 90)}`);
    else if (wrong) faults.push(`${wrong}: ${what}`);
  }
  return faults;
};

for (const size of [1280, 390, 667]) {
  test(`the keyboard comes to everything, in sight, at ${size} px`, async (t) => {
    // Its policy lets no text become code.
    const page = await open(t, "#page=glossary", { size, bypassCSP: true });
    for (const [name, address, shows, act] of PAGES) {
      await t.test(name, async () => {
        await turn(page, address, shows);
        await act?.(page);
        await still(page);
        const controls = await page.evaluate(mark);
        assert.ok(controls.length > 0);
        // From here on it is the keyboard's turn: rings are shown.
        await page.keyboard.press("Tab");
        assert.deepEqual(await page.evaluate(given, here.toString()), []);
      });
    }
  });
}

/** Where keys have handlers of their own, and one page of links. */
const WALKED = ["the front page", "Schedule", "the menu", "Fix it", "the presenter view"];
for (const [name, address, shows, act] of PAGES.filter(([name]) => WALKED.includes(name))) {
  test(`Tab goes through all of ${name}, and nothing keeps it`, async (t) => {
    const page = await open(t, address, { size: 1280 });
    await page.locator(shows).first().waitFor();
    await act?.(page);
    const controls = await page.evaluate(mark);
    const reached = new Set();
    for (let press = 0; press < controls.length + 10; press++) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(here);
      // Tab indents in the editor; Esc lets it go.
      if (at?.what.startsWith("<textarea")) await page.keyboard.press("Escape");
      if (!at?.number) continue;
      assert.equal(at.wrong, "", at.what);
      reached.add(Number(at.number));
    }
    const missed = controls.filter((_, number) => !reached.has(number));
    assert.deepEqual(missed, []);
  });
}

test("the next two steps come into the open menu, and the keyboard stays where it is", async (t) => {
  // The checker tells them, and is held back.
  let give;
  const wanted = new Promise((done) => (give = done));
  const before = (page) => page.route("**/search-*.wasm", (route) => wanted.then(() => route.continue()));
  const page = await open(t, `${LESSON}&mode=schedule`, { size: 1280, before });
  await whole(page);
  await opened(page);
  const controls = await page.evaluate(mark);
  await page.locator('#menu [data-move="console"]').focus();
  give();
  await page.locator("#menu .around").waitFor({ state: "attached" });
  assert.equal(await page.locator("[data-number]").count(), controls.length);
  await page.locator('#menu [data-move="console"]:focus').waitFor({ timeout: 5000 });
});

test("the first Tab leads to the first step", async (t) => {
  for (const [address, step] of [["", ".front .dock .step"], [`${LESSON}&mode=schedule`, ".dock .step"], ["#page=glossary", "main"]]) {
    const page = await open(t, address, { size: 1280 });
    await page.locator(step).first().waitFor();
    await page.keyboard.press("Tab");
    await page.locator(".skip:focus").waitFor();
    await page.keyboard.press("Enter");
    assert.ok(await page.locator(step).first().evaluate((one) => one === document.activeElement), address);
  }
});

test("a client and a key are read once, by name", async (t) => {
  const page = await open(t, `${LESSON}&mode=schedule&schedule=A1&step=1`);
  await at(page, 1);
  await page.getByRole("listitem").filter({ hasText: /^A,\s*ready$/ }).waitFor();
  const read = await page.locator(".board .key").first().evaluate((key) => {
    const all = document.createTreeWalker(key, NodeFilter.SHOW_TEXT);
    let words = "";
    while (all.nextNode()) if (!all.currentNode.parentElement.closest('[aria-hidden="true"]')) words += all.currentNode.data;
    return words;
  });
  assert.match(read, /^balance: 10$/);
});

const focus = (page, role, name) => page.getByRole(role, { name }).first().focus();
const at = (page, step) => page.locator(`main.lesson[data-step-now="${step}"]`).waitFor();

test("from the front page into a lesson and through its modes", async (t) => {
  const page = await open(t);
  await page.locator(".front .diagram").waitFor();
  await focus(page, "link", "Start with the lost update");
  await page.keyboard.press("Enter");
  await page.locator("main.lesson").waitFor();
  await page.keyboard.press("ArrowRight");
  await at(page, 1);
  for (const [mode, shows] of [["Schedule", "main.lesson"], ["Find", "main.find"], ["Fix it", "main.fix"], ["Rule", "main.review"]]) {
    await page.locator(`.modes [data-mode]`, { hasText: mode }).focus();
    await page.keyboard.press("Space");
    await page.locator(shows).waitFor();
  }
  await page.locator(".head a.mark").focus();
  await page.keyboard.press("Enter");
  await page.locator("main.home").waitFor();
});

test("a race, by keys", async (t) => {
  const page = await open(t, `${LESSON}&mode=schedule`);
  for (const [step, key] of [[1, "1"], [2, "2"], [3, "1"], [4, "2"]]) {
    await page.keyboard.press(key);
    await at(page, step);
  }
  await page.locator(".chip.bad").waitFor();
  await page.keyboard.press("Home");
  await at(page, 0);
  await page.keyboard.press("End");
  await at(page, 4);
  await page.locator(".strip").focus();
  await page.keyboard.press("ArrowLeft");
  await at(page, 3);
  await page.keyboard.press("1");
  await page.keyboard.press("r");
  await at(page, 0);
});

test("dialogs take the keyboard, keep it, and give it back", async (t) => {
  const page = await open(t, `${LESSON}&mode=schedule`);
  await page.locator("main.lesson").waitFor();
  for (const [entry, dialog] of [["share", "dialog.share-dialog"], ["keys", "dialog.help"]]) {
    await page.locator('[data-move="more"]').focus();
    await page.keyboard.press("Enter");
    await page.locator(`#menu:popover-open [data-move="${entry}"]`).focus();
    await page.keyboard.press("Enter");
    await page.locator(`${dialog}[open]`).waitFor();
    assert.equal(await page.locator("#menu:popover-open").count(), 0, "the menu goes with the choice");
    for (let press = 0; press < 30; press++) {
      await page.keyboard.press("Tab");
      const inside = await page.evaluate(
        (dialog) => document.activeElement === document.body || Boolean(document.activeElement.closest(dialog)),
        dialog,
      );
      assert.ok(inside, `${dialog} lets the keyboard out`);
    }
    await page.keyboard.press("Escape");
    await page.locator(`${dialog}:not([open])`).waitFor({ state: "attached" });
    const back = await page.evaluate(() => document.activeElement.matches('[data-move="more"]'));
    assert.ok(back, `${dialog} gives the keyboard back`);
  }
});

test("the list of keys begins with its end, not with what removes something", async (t) => {
  const page = await open(t, `${LESSON}&mode=schedule`);
  await page.locator("main.lesson").waitFor();
  await page.keyboard.press("?");
  await page.locator("dialog.help[open]").waitFor();
  assert.match(await page.evaluate(() => document.activeElement.innerText), /^Close/);
});

test("who steps with a button keeps the keyboard there, also when the client cannot go on", async (t) => {
  const page = await open(t, `${LESSON}&mode=schedule`);
  const button = page.locator('.dock .step[data-client="A"]');
  await button.focus();
  for (const step of [1, 2]) {
    await page.keyboard.press("Enter");
    await at(page, step);
  }
  assert.equal(await button.getAttribute("aria-disabled"), "true", "A is done");
  assert.ok(await button.evaluate((one) => one === document.activeElement));
  await page.keyboard.press("Enter");
  await at(page, 2);
  await page.locator('[data-move="back"]').focus();
  for (const step of [1, 0]) {
    await page.keyboard.press("Enter");
    await at(page, step);
  }
  assert.ok(await page.locator('[data-move="back"]').evaluate((one) => one === document.activeElement));
});

const CONSOLE = ['[data-move="more"]', '[data-move="console"]'];
/** Presses that take away what was pressed: the address, the controls one after the other, what is there then. */
const TAKEN = [
  ["the next part of Situation", `${LESSON}&mode=situation`, ['[data-move="next"]'], "main.lesson"],
  ["the next part of Fix it", `${LESSON}&mode=fix`, ['[data-move="next"]'], "main.review"],
  ["the next lesson", `${LESSON}&mode=review`, ['[data-move="next"]'], "main.situation"],
  ["a lesson of the list", "", ['main a[href*="lesson="]'], "main:is(.lesson, .situation)"],
  ["the search of Find", `${LESSON}&mode=find`, [".search"], "main.find"],
  ["a found run in Find", `${LESSON}&mode=find`, ["[data-play]"], "main.lesson"],
  ["the presenter view", `${LESSON}&mode=watch&step=2`, ['[data-move="more"]', '[data-move="present"]'], ".presenting main.lesson"],
  ["leaving the presenter view", `${LESSON}&mode=watch&step=2&present=1`, [".podium .leave"], "body:not(:has(.presenting))"],
  ["an answer in Rule", `${LESSON}&mode=review`, [".quiz .choice"], ".quiz .choice.ok"],
  ["a console that is closed", `${LESSON}&mode=schedule`, [...CONSOLE, "[data-console=close]"], "body:not(:has(.console))"],
  ["the end of a console's line", `${LESSON}&mode=schedule`, [...CONSOLE, ".console input"], ".console", "Escape"],
  ["a new program", "#page=playground", [".add"], ".editor textarea"],
  ["the last Undo", "#page=playground", [".add", "[data-own=undo]"], "[data-own=undo][aria-disabled]"],
  ["a removed row", "#page=playground", [".remove"], "main"],
];

test("a press that takes away what was pressed leaves the keyboard near", async (t) => {
  for (const [name, address, controls, shows, key = "Enter"] of TAKEN) {
    await t.test(name, async () => {
      const page = await open(t, address);
      await page.locator("main").first().waitFor();
      for (const control of controls) {
        await page.locator(control).first().focus();
        await page.keyboard.press(control === controls.at(-1) ? key : "Enter");
      }
      await page.locator(shows).first().waitFor();
      await still(page);
      const has = await page.evaluate(() => document.activeElement.outerHTML.slice(0, 120));
      assert.doesNotMatch(has, /^<body/);
      assert.ok(await page.evaluate(() => document.activeElement.checkVisibility({ visibilityProperty: true })));
      await page.context().close();
    });
  }
});

test("the guide, the glossary and a question are answered by keys", async (t) => {
  const page = await open(t, "#lesson=choosing");
  await page.locator(".guide .choice").first().focus();
  const question = await page.locator(".guide .place").innerText();
  await page.keyboard.press("Enter");
  await page.waitForFunction((before) => document.querySelector(".guide .place").innerText !== before, question);
  const glossary = await open(t, "#page=glossary");
  await glossary.locator(".glossary input").focus();
  await glossary.keyboard.type("丢失更新");
  await glossary.waitForFunction(() => document.querySelectorAll(".glossary dt").length < 5);
  const review = await open(t, `${LESSON}&mode=review`);
  await review.locator(".quiz .choice").first().focus();
  await review.keyboard.press("Space");
  await review.locator(".quiz .choice.on, .quiz .told").first().waitFor();
});

test("what is read aloud: one live sentence per step, and the run as a table", async (t) => {
  const page = await open(t, `${LESSON}&mode=schedule&schedule=A1.B1.A2.B2&step=4`);
  await at(page, 4);
  assert.equal(await page.locator('.story [aria-live="polite"]').count(), 1);
  assert.match(await page.locator(".diagram svg").getAttribute("aria-label"), /4 steps/);
  const table = page.getByRole("table", { name: "The same run as a table" });
  const rows = await table.getByRole("row").allInnerTexts();
  assert.equal(rows.length, 5);
  assert.match(rows[4], /4\s+B\s+SET balance 20\s+OK/);
  assert.equal(await table.locator('[aria-current="step"]').count(), 1);
});

/** A narrow window, and two that zoom makes of wide ones. */
const ZOOMED = [
  ["320 px", { width: 320, height: 640 }],
  ["200 % zoom of 1280×720", { width: 640, height: 360 }],
  ["400 % zoom of 1280×1024", { width: 320, height: 256 }],
];

/** What stands out of the window, on something else, or is cut. */
const lost = () => {
  const root = document.documentElement;
  const problems = [];
  if (root.scrollWidth > root.clientWidth) {
    const wide = [...document.querySelectorAll("body *")].filter((one) => {
      if (one.closest(".diagram, pre, .diff, .editor, .more, .modes, .sr, .twin, dialog, svg")) return false;
      return one.getBoundingClientRect().right > root.clientWidth + 1;
    });
    problems.push(`sideways: ${root.scrollWidth} px, ${wide.slice(0, 3).map((one) => one.outerHTML.slice(0, 80))}`);
  }
  const seen = [];
  for (const button of document.querySelectorAll("button:not(:disabled)")) {
    if (!button.checkVisibility() || button.closest("dialog:not([open])")) continue;
    const at = button.getBoundingClientRect();
    const over = button.matches(".kept, .skip") ? undefined : seen.find(([, other]) =>
      Math.min(at.right, other.right) - Math.max(at.left, other.left) > 2
      && Math.min(at.bottom, other.bottom) - Math.max(at.top, other.top) > 2);
    if (over) problems.push(`on ${over[0].innerText}: ${button.innerText}`);
    if (!button.matches(".kept, .skip")) seen.push([button, at]);
    if (button.scrollWidth > button.clientWidth + 2 && !button.matches(".kept, .step")) {
      problems.push(`cut: ${button.innerText}`);
    }
  }
  return problems;
};

for (const language of ["en", "zh"]) {
  test(`nothing is lost in a narrow window, nor where the page is zoomed (${language})`, async (t) => {
    const page = await open(t, "#page=glossary", { size: ZOOMED[0][1], language });
    for (const [number, [name, address, shows]] of PAGES.slice(0, -1).entries()) {
      // Each window is the one that pages come in, in turn: that in which the one before was left.
      const windows = ZOOMED.map((_, at) => ZOOMED[(2 * number + at) % ZOOMED.length]);
      await turn(page, address, shows, language);
      for (const [at, [what, size]] of windows.entries()) {
        // A reader who zooms resizes it.
        if (at > 0) await page.setViewportSize(size);
        await drawn(page);
        assert.deepEqual(await page.evaluate(lost), [], `${name}, ${what}`);
      }
    }
  });
}

// WCAG 2.2, 1.4.12: what a reader's own style sheet may do.
const SPACED = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`;

test("no button and no title is cut where the text is spaced wider", async (t) => {
  const addresses = ["#lesson=fair-semaphore&mode=schedule", "#lesson=redlock&variant=redlock&mode=break", "#lesson=rate-limit&mode=schedule"];
  for (const size of [1280, 390, 667]) {
    for (const language of ["en", "zh"]) {
      const calm = "what is laid out is measured, not its film";
      const page = await open(t, "#page=glossary", { size, language, calm, bypassCSP: true });
      await page.addStyleTag({ content: SPACED });
      const cut = await visited(page, addresses, [".dock .step"], () =>
        [...document.querySelectorAll(".dock .step, .dock .step *, .head h1, .head button")]
          .filter((one) => one.checkVisibility() && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1))
          .filter((one) => getComputedStyle(one).display !== "inline" && getComputedStyle(one).overflow !== "visible")
          .map((one) => one.innerText));
      assert.deepEqual(cut, addresses.map(() => []), `${size}, ${language}`);
    }
  }
});

test("in forced colours what is chosen and what runs next can still be told", async (t) => {
  const page = await open(t, `${LESSON}&mode=schedule&schedule=A1.B1&step=1`, { forcedColors: "active" });
  await at(page, 1);
  const outlined = (selector) =>
    page.locator(selector).first().evaluate((one) => getComputedStyle(one).outlineStyle);
  for (const selector of [".modes .on", ".code .next"]) {
    assert.notEqual(await outlined(selector), "none", selector);
  }
  const ground = await page.locator(".tag").first().evaluate((one) => getComputedStyle(one).backgroundColor);
  assert.notEqual(ground, "rgb(0, 0, 0)", "a client keeps its colour");
});
