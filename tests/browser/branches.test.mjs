// Runs that were kept are named, compared, taken up again and removed; variants follow one schedule side by side.

import assert from "node:assert/strict";
import test from "node:test";
import { addressSays, menu, open, shown } from "./harness.mjs";

const LOST = "#lesson=lost-update&variant=naive&mode=schedule&schedule=A1.B1.A2.B2&step=4&lang=en";

const move = (page, id) => page.locator(`[data-move="${id}"]`);
const at = (page, step) => page.locator(`main.lesson[data-step-now="${step}"]`).waitFor();
const address = (page) => Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));
const run = (page, id) => page.locator(`.run-list [data-run="${id}"]`);

/** Leaves the lost update for the order that is right. */
async function fork(page) {
  for (let i = 0; i < 3; i++) await move(page, "back").click();
  await at(page, 1);
  for (const letter of ["A", "B", "B"]) {
    await page.locator(`button.step[data-client="${letter}"]:visible`).first().click();
  }
  await at(page, 4);
}

test("a kept run is named, compared and removed, by mouse", async (t) => {
  const page = await open(t, LOST);
  await fork(page);
  await menu(page, "runs");
  assert.equal(await page.locator(".run-list li").count(), 2);
  const name = run(page, 1).getByRole("textbox", { name: "Name of Run 1" });
  await name.fill("the lost one");
  await name.blur();
  await run(page, 1).locator('[data-do="compare"]').click();
  const table = page.locator(".compare .run-table");
  await table.waitFor();
  assert.match(await table.locator("thead").innerText(), /Run 2[^]*the lost one/);
  // A1 in both; from step 2 on they part.
  const parts = page.locator(".compare tr.parts");
  assert.equal(await parts.getAttribute("data-row"), "2");
  assert.match(await parts.innerText(), /from here on they differ/);
  assert.equal(await table.locator('tr[data-row="1"].differs').count(), 0);
  assert.match(await table.locator('tr[data-row="4"]').innerText(), /a condition breaks here/);
  const balance = page.locator(".key-ends tr.differs");
  assert.match(await balance.innerText(), /balance[^]*30[^]*20/);
  // The link shows the same.
  await addressSays(page, "compare", "A1.B1.A2.B2");
  await page.reload();
  await shown(page);
  await page.locator(".compare tr.parts").waitFor();
  assert.equal(await page.locator(".compare tr.parts").getAttribute("data-row"), "2");
  await move(page, "compare-close").click();
  await page.locator(".compare").waitFor({ state: "detached" });
  await addressSays(page, "compare", undefined);
  await menu(page, "runs");
  await page.locator('.run-list [data-do="remove"]').click();
  await page.locator(".run-list").waitFor({ state: "detached" });
  assert.equal(await page.locator(".kept").count(), 0);
});

test("by keyboard alone: C opens, Escape leaves", async (t) => {
  const page = await open(t, LOST);
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowLeft");
  await at(page, 1);
  for (const key of ["1", "2", "2"]) await page.keyboard.press(key);
  await at(page, 4);
  await page.keyboard.press("v");
  await page.locator(".runs-dialog[open]").waitFor();
  await page.locator('.run-list [data-do="compare"]').focus();
  await page.keyboard.press("Enter");
  await page.locator(".compare").waitFor();
  // The steps go on as ever.
  await page.keyboard.press("ArrowLeft");
  await at(page, 3);
  assert.equal(await page.locator('.compare tr[aria-current="step"]').getAttribute("data-row"), "3");
  await page.keyboard.press("Escape");
  await page.locator(".compare").waitFor({ state: "detached" });
});

test("variants follow one schedule, and say where they cannot", async (t) => {
  const page = await open(t, LOST.replace("lang=en", "lang=zh"));
  await menu(page, "runs");
  await page.locator(".runs-dialog .pill").first().click();
  await move(page, "beside-show").click();
  const table = page.locator(".compare .run-table");
  await table.waitFor();
  assert.equal(await table.locator("thead th[scope=col]").count(), 3);
  assert.match(await table.innerText(), /INCRBY/);
  assert.match(await table.locator(".refused").first().innerText(), /已结束/);
  // Chips of both: the first is broken, the second holds.
  const chips = table.locator('thead [data-chip="total"]');
  assert.match(await chips.nth(0).getAttribute("class"), /bad/);
  assert.match(await chips.nth(1).getAttribute("class"), /ok/);
  await page.waitForURL(/beside=/);
  const link = address(page);
  assert.equal(typeof link.beside, "string");
  await page.reload();
  await shown(page);
  await page.locator(".compare .refused").first().waitFor();
  await addressSays(page, "beside", link.beside);
  // From the start, both are driven by the same buttons.
  await menu(page, "first");
  await at(page, 0);
  await page.locator('.dock button.step[data-client="B"]').click();
  await at(page, 1);
  assert.match(await table.locator('tr[data-row="1"]').innerText(), /B[^]*GET balance[^]*B[^]*INCRBY/);
});

test("by touch: everything is large enough, and nothing sticks out", async (t) => {
  const page = await open(t, LOST, { size: 390 });
  await menu(page, "runs", "tap");
  await page.locator(".runs-dialog[open]").waitFor();
  for (const button of await page.locator(".runs-dialog button:visible").all()) {
    const { height } = await button.boundingBox();
    assert.ok(height >= 44, `${await button.innerText()} is ${height} px high`);
  }
  await page.locator(".runs-dialog .pill").first().tap();
  await move(page, "beside-show").tap();
  await page.locator(".compare").waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} px too wide`);
  await move(page, "compare-close").tap();
  await page.locator(".compare").waitFor({ state: "detached" });
});

test("no dialog stays over another page, however it was closed", async (t) => {
  const page = await open(t, LOST);
  await menu(page, "share");
  await page.locator("dialog.share-dialog[open]").waitFor();
  // Its element may go before anyone hears that it was closed.
  await page.evaluate(() => {
    location.hash = "#page=glossary&lang=en";
    document.querySelector("dialog.share-dialog").close();
  });
  await page.locator(".glossary dt").first().waitFor();
  await page.evaluate(() => (location.hash = "#lesson=expire-apart&mode=schedule&lang=en"));
  await page.locator("main.lesson").waitFor();
  assert.equal(await page.locator("dialog[open]").count(), 0);
  await page.keyboard.press("w");
  await page.locator("dialog.faults[open]").waitFor();
});
