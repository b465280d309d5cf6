// The consoles: by keyboard alone over two connections, by touch, by link; a command that waits, help,
// completion, history, and a session of redis-cli that is read in. In both languages.

import assert from "node:assert/strict";
import test from "node:test";
import { addressSays, menu, open, opened, shown } from "./harness.mjs";

const LESSON = "#lesson=lost-update&variant=naive&mode=schedule";

const pane = (page, name) => page.locator(`.console [data-pane="${name}"]`);
const line = (page, name) => pane(page, name).locator("input");
const log = (page, name) => pane(page, name).locator(".log");
/** Waits until the page stands at `step`. */
const at = (page, step) => page.locator(`main.lesson[data-step-now="${step}"]`).waitFor();

/** Waits until a console's log ends so; with the prompt of its line. */
async function ends(page, name, wanted) {
  await page.waitForFunction(
    ([name, wanted]) => {
      const rows = document.querySelectorAll(`[data-pane="${name}"] .log > *`);
      const text = [...rows].map((row) => row.textContent).join("\n");
      return text.endsWith(wanted);
    },
    [name, wanted],
  );
}

const prompt = (page, name, text) =>
  pane(page, name).locator(".prompt").filter({ hasText: text }).waitFor();

/** Waits until a console's line has the keyboard. */
const focused = (page, name) =>
  page.waitForFunction(
    (name) => document.activeElement?.closest(".line")?.parentElement.dataset.pane === name,
    name,
  );

/** Types a line at the focused console. */
async function type(page, text) {
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

test("two connections, by keyboard alone: WATCH, MULTI, EXEC, and taking it back", async (t) => {
  const page = await open(t, LESSON);
  await page.locator("main.lesson").waitFor();
  await page.keyboard.press("/");
  await focused(page, "c1");
  await type(page, "WATCH balance");
  await at(page, 1);
  await prompt(page, "c1", "c1 (WATCH 1)>");
  await type(page, "MULTI");
  await type(page, "INCRBY balance 5");
  await prompt(page, "c1", "c1 (TX, 1 queued)>");
  await ends(page, "c1", "QUEUED");

  // The second connection: Shift+Tab leads to the buttons; one opens it.
  await page.locator('[data-console="add"]').focus();
  await page.keyboard.press("Enter");
  await focused(page, "c2");
  await type(page, "INCR balance");
  await ends(page, "c2", "(integer) 11");
  assert.equal(await pane(page, "c1").isVisible(), true, "both are beside each other");

  await line(page, "c1").focus();
  await type(page, "EXEC");
  await ends(page, "c1", "(nil)");
  await addressSays(page, "schedule",
    "c1-WATCH_balance.c1-MULTI.c1-INCRBY_balance_5.c2-INCR_balance.c1-EXEC");
  assert.match(await page.locator(".diagram svg").innerHTML(), />c1</, "it has a lane");

  // Escape leaves the line; then the page's keys work.
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowLeft");
  await at(page, 4);
  await page.keyboard.press("ArrowLeft");
  await at(page, 3);
  await prompt(page, "c1", "c1 (TX, 1 queued)>");
  await page.keyboard.press("/");
  await focused(page, "c1");
  await type(page, "EXEC");
  await ends(page, "c1", "1) (integer) 15");
  assert.equal(await page.locator(".kept").count(), 1, "the other run is kept");
});

test("a command that waits is served by a program's step, or cancelled", async (t) => {
  const page = await open(t, "#lesson=lost-update&mode=watch");
  await page.locator("main.lesson").waitFor();
  await page.keyboard.press("/");
  await focused(page, "c1");
  await type(page, "BLPOP jobs 0");
  await at(page, 1);
  await page.locator('[data-mode="schedule"].on').waitFor();
  await pane(page, "c1").locator(".prompt.busy").waitFor();
  await page.locator('[data-console="add"]').click();
  await focused(page, "c2");
  await type(page, 'RPUSH jobs "a b"');
  await ends(page, "c1", '1) "jobs"\n2) "a b"');
  await line(page, "c1").focus();
  await type(page, "BLPOP jobs 0");
  await pane(page, "c1").locator(".prompt.busy").waitFor();
  await page.keyboard.press("Control+c");
  await prompt(page, "c1", "c1>");
  await ends(page, "c1", "^C");
  await page.waitForFunction(() => /schedule=[^&]*\.close-c1(&|$)/.test(location.hash));
  await type(page, "LLEN jobs");
  await ends(page, "c1", "(integer) 0");
});

test("completion, hints, history, help and clear", async (t) => {
  const page = await open(t, LESSON);
  await page.locator("main.lesson").waitFor();
  await page.keyboard.press("/");
  await focused(page, "c1");
  await page.keyboard.type("get");
  // The reference arrives when it is first needed.
  await page.locator(".console .ghost", { hasText: "get key" }).waitFor();
  await page.keyboard.type("r");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => document.querySelector(".console input").value === "GETRANGE ");
  assert.match(await pane(page, "c1").locator(".ghost").innerText(), /key start end/);
  await page.keyboard.type("ba");
  await page.keyboard.press("Tab");
  await page.waitForFunction(
    () => document.querySelector(".console input").value === "GETRANGE balance ",
  );
  await type(page, "0 0");
  await ends(page, "c1", '"1"');
  await type(page, "help getdel");
  await ends(page, "c1", "group: string\n");
  await type(page, 'get "x');
  await ends(page, "c1", "Invalid argument(s)");
  await at(page, 1);
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowUp");
  assert.equal(await line(page, "c1").inputValue(), "GETRANGE balance 0 0");
  await page.keyboard.press("ArrowDown");
  assert.equal(await line(page, "c1").inputValue(), "help getdel");
  await page.keyboard.press("Control+c");
  assert.equal(await line(page, "c1").inputValue(), "");
  await page.keyboard.type("GETR");
  await page.keyboard.press("Control+r");
  assert.equal(await line(page, "c1").inputValue(), "GETRANGE balance 0 0");
  await page.keyboard.press("Control+l");
  await pane(page, "c1").locator(".log .typed").waitFor({ state: "detached" });

  // What was typed is there in the next visit.
  await page.reload();
  await shown(page);
  await page.locator("main.lesson").waitFor();
  await page.keyboard.press("/");
  await focused(page, "c1");
  await page.keyboard.press("ArrowUp");
  assert.equal(await line(page, "c1").inputValue(), 'get "x');
});

test("a link brings the consoles' steps back, in Chinese too", async (t) => {
  const typed = "c1-MULTI.c1-SET_balance_5.A1.c1-EXEC";
  const page = await open(t, `${LESSON}&schedule=${typed}&step=3&lang=zh`);
  await at(page, 3);
  await (await opened(page)).getByRole("button", { name: "控制台" }).click();
  await prompt(page, "c1", "c1 (TX, 1 queued)>");
  await ends(page, "c1", "QUEUED");
  assert.equal(await page.locator(".strip .cell:not(.empty)").count(), 4, "EXEC is still to come");
  await page.getByRole("button", { name: "English" }).click();
  await page.locator(".console > header h2", { hasText: "Console" }).waitFor();
  await addressSays(page, "schedule", typed);
});

test("by touch: buttons send, complete and cancel", async (t) => {
  const page = await open(t, LESSON, { size: 390 });
  await page.locator("main.lesson").waitFor();
  await menu(page, "console", "tap");
  await line(page, "c1").fill("BLPOP q 0");
  await pane(page, "c1").getByRole("button", { name: "Send" }).tap();
  await at(page, 1);
  await pane(page, "c1").getByRole("button", { name: "Cancel" }).tap();
  await at(page, 2);
  await pane(page, "c1").getByRole("button", { name: "Earlier line" }).tap();
  assert.equal(await line(page, "c1").inputValue(), "BLPOP q 0");
  for (const button of await page.locator(".console button:visible").all()) {
    const box = await button.boundingBox();
    assert.ok(box.width >= 44 && box.height >= 44, `${await button.innerText()}: ${box.width}`);
  }
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide} px wide`);
});

for (const size of [390, 667]) {
  test(`beside a console the task and every button can be reached (${size} px)`, async (t) => {
    const page = await open(t, "#lesson=oversell&mode=break", { size });
    await page.locator("main.lesson").waitFor();
    await menu(page, "console", "tap");
    await line(page, "c1").waitFor();
    const covered = await page.evaluate(() => {
      const reached = (element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      };
      const buttons = [...document.querySelectorAll(".console button, .dock button")];
      return buttons.filter((one) => one.checkVisibility() && !reached(one)).map((one) => one.textContent);
    });
    assert.deepEqual(covered, []);
    const cut = await page.evaluate(() => {
      const [say, words] = ["section.say", "section.say p:last-of-type"].map((one) => document.querySelector(one));
      return words.getBoundingClientRect().bottom - say.getBoundingClientRect().bottom;
    });
    assert.ok(cut <= 0, `${cut} px of the task are cut`);
  });
}

test("a session of redis-cli becomes programs, or is replayed", async (t) => {
  const page = await open(t, LESSON);
  await page.locator("main.lesson").waitFor();
  await page.keyboard.press("/");
  const text = "127.0.0.1:6379> GET stock\n(nil)\nB> SET stock 9\nOK\n127.0.0.1:6379> GET stock\nB> GET \"x\n";
  const dialog = page.locator(".import-dialog");
  const read = async () => {
    await page.locator('[data-console="import"]').click();
    await dialog.locator("textarea").fill(text);
    await dialog.getByRole("button", { name: "Read", exact: true }).click();
    await dialog.getByText("A · 127.0.0.1:6379: 2 commands").waitFor();
    await dialog.getByText("Line 6: the quotes do not end where they should").waitFor();
  };
  await read();
  await page.locator('[data-import="consoles"]').click();
  await at(page, 3);
  await addressSays(page, "schedule", "c1-GET_stock.c2-SET_stock_9.c1-GET_stock");
  await read();
  await page.locator('[data-import="programs"]').click();
  await page.locator('main.lesson[data-clients="2"][data-step-now="0"]').waitFor();
  assert.equal(await page.locator(".strip .cell:not(.empty)").count(), 3);
  // In another order.
  await page.locator('.dock button.step[data-client="B"]').click();
  await page.locator('.dock button.step[data-client="A"]').click();
  await at(page, 2);
  await page.locator(".diagram svg", { hasText: "9" }).waitFor();
});
