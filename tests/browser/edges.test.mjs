// No link kills the page: what would need more memory than a world may hold is refused in words.

import assert from "node:assert/strict";
import test from "node:test";
import { open } from "./harness.mjs";

const LINK = "#lesson=lost-update&mode=schedule&lang=en&schedule=c1-";

for (const [name, typed] of [
  ["SETBIT far out", "SETBIT_big_4294967295_1"],
  ["SETRANGE of 100 MB", "SETRANGE_big_100000000_x"],
  ["SETRANGE of 512 MB", "SETRANGE_big_536870911_x"],
  ["BITFIELD far out", "BITFIELD_big_SET_u8_4294967280_1"],
]) {
  test(`${name} is refused, and the page lives`, async (t) => {
    const page = await open(t, LINK + typed);
    assert.match(await page.locator(".say .story").innerText(), /OOM command not allowed: a world of this page may hold 16 MiB/);
    await page.locator('[data-client="A"]').click();
    await page.locator('main.lesson[data-step-now="2"]').waitFor();
  });
}
