// The page with a real Redis behind the real proxy: connecting, a lesson whose every step says that
// the simulator was right, going back, a server that is killed, the console, Redlock on five servers,
// and a hostile page from another origin that is turned away.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import test, { after } from "node:test";
import { browser, menu, open, ROOT } from "./harness.mjs";

/** The proxies of this file. They go last: a page may load something until it closes. */
const started = [];
after(() => started.forEach((child) => child.kill()));

/** A proxy with throw-away servers, and the processes that it has started. */
async function proxy(...options) {
  const target = process.env.CARGO_TARGET_DIR ?? join(ROOT, "target");
  const suffix = process.platform === "win32" ? ".exe" : "";
  const program = resolve(ROOT, target, `debug/proxy${suffix}`);
  const child = spawn(program, ["--listen", "127.0.0.1:0", "--spawn", "5", ...options], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  const pids = [];
  createInterface({ input: child.stderr }).on("line", (line) => {
    const pid = /event=started .*pid=(\d+)/.exec(line)?.[1];
    if (pid) pids.push(Number(pid));
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (url) return { url, pids };
  }
  throw new Error("the proxy ended before it listened");
}

/** What the browser says of a port on which nothing listens. */
const NOBODY = /127\.0\.0\.1:9\//;
const LESSON = "#lesson=lost-update&variant=naive&mode=schedule";
const panel = (page) => page.locator("section.real");
const state = (page, wanted) => page.locator(`section.real[data-state="${wanted}"]`).waitFor();
const badge = (page, step, wanted) =>
  page.locator(`[data-badge="${wanted}"][data-badge-step="${step}"]`).waitFor();

async function connect(page) {
  await menu(page, "real");
  await page.locator('[data-real="connect"]').click();
  await page.locator("dialog.real-dialog[open]").waitFor({ state: "detached" });
  await state(page, "ready");
}

for (const language of ["en", "zh"]) {
  test(`each step says that the simulator was right (${language})`, async (t) => {
    const { url } = await proxy();
    const page = await open(t, url + LESSON, { language });
    await page.locator("main.lesson").waitFor();
    await connect(page);
    // Two clients read, both write: by keyboard alone.
    for (const [at, key] of ["1", "2", "1", "2"].entries()) {
      await page.keyboard.press(key);
      await badge(page, at + 1, "equal");
    }
    assert.equal(await panel(page).locator("tbody tr.equal").count(), 4);
    const words = { en: "simulator = real", zh: "模拟器 = 真实" }[language];
    assert.match(await panel(page).locator("[data-badge]").innerText(), new RegExp(words));
    // Back: the keys are removed and the run is made again up to there.
    await page.keyboard.press("ArrowLeft");
    await badge(page, 3, "equal");
    await page.keyboard.press("Home");
    await page.locator('section.real[data-real-steps="0"][data-state="ready"]').waitFor();
    await page.locator('[data-real="disconnect"]').click();
    await panel(page).waitFor({ state: "detached" });
  });
}

test("a Redis that dies in the middle of a lesson: said clearly, nothing twice, reconnect", async (t) => {
  const { url, pids } = await proxy();
  const page = await open(t, url + LESSON);
  await page.locator("main.lesson").waitFor();
  await connect(page);
  await page.keyboard.press("1");
  await badge(page, 1, "equal");
  process.kill(pids.at(-1), "SIGKILL");
  await state(page, "stopped");
  const words = await panel(page).locator('[role="alert"]').innerText();
  assert.match(words, /connection to Redis was lost.*Nothing is sent twice/);
  // The lesson itself goes on.
  await page.keyboard.press("2");
  await page.locator('main.lesson[data-step-now="2"]').waitFor();
  await state(page, "stopped");
  await page.locator('[data-real="again"]').click();
  await state(page, "ready");
  await badge(page, 2, "equal");
});

test("the console against the real server", async (t) => {
  const { url } = await proxy();
  const page = await open(t, url + LESSON);
  await page.locator("main.lesson").waitFor();
  await connect(page);
  await page.locator("body").press("/");
  await page.locator('[data-console="real"]').click();
  const line = page.locator('.console [data-pane="c1"] input');
  const ends = (wanted) =>
    page.waitForFunction(
      (wanted) => {
        const rows = document.querySelectorAll('[data-pane="c1"] .log > *');
        return rows.length > 0 && rows[rows.length - 1].textContent.trim() === wanted;
      },
      wanted,
    );
  await line.fill("GET balance");
  await line.press("Enter");
  await ends('"10"');
  await line.fill("FLUSHALL");
  await line.press("Enter");
  await page.locator('[data-pane="c1"] .log .error', { hasText: "PROXY FLUSHALL" }).waitFor();
  // It is no step of the run.
  assert.equal(await page.locator("main.lesson").getAttribute("data-step-now"), "0");
  await page.locator('[data-console="simulator"]').click();
  await page.locator('[data-pane="c1"] .log .error').waitFor({ state: "detached" });
});

test("a run that the search found is replayed there", async (t) => {
  const { url } = await proxy();
  const page = await open(t, url + "#lesson=oversell&variant=naive&mode=find");
  await page.locator('[data-replay="sold"]').click();
  await page.locator('[data-real="connect"]').click();
  await badge(page, 4, "equal");
  assert.equal(await page.locator("p.first-difference").count(), 0);
});

test("a failover on real servers loses the lock that its replica had not got", async (t) => {
  const { url } = await proxy();
  const page = await open(t, url + "#lesson=failover&variant=async&mode=find");
  await page.locator('[data-replay="one"]').click();
  await page.locator('[data-real="connect"]').click();
  await badge(page, 3, "equal");
  // The failover itself, too: the promoted server says that it is a master.
  assert.equal(await panel(page).locator("tbody tr.equal").count(), 3);
  assert.equal(await page.locator("p.first-difference").count(), 0);
});

test("an address that is none, and one where nobody answers", async (t) => {
  const { url } = await proxy();
  const page = await open(t, url + LESSON);
  await page.locator("main.lesson").waitFor();
  await menu(page, "real");
  const address = page.locator('.real-dialog input[name="address"]');
  assert.equal(await address.inputValue(), url.replace("http", "ws") + "ws");
  await address.fill("http://nowhere");
  await page.locator('[data-real="connect"]').click();
  await page.locator(".real-dialog .wrong", { hasText: "ws://" }).waitFor();
  // A port on which nothing listens.
  page.expect(NOBODY);
  await address.fill("ws://127.0.0.1:9/ws");
  await page.locator('[data-real="connect"]').click();
  await page.locator(".real-dialog .wrong", { hasText: "make serve" }).waitFor();
});

test("no secret stands in an address, and a tab stays one visitor", async (t) => {
  const token = "0123456789abcdef";
  const { url, pids } = await proxy("--token", token);
  const page = await open(t, url + LESSON);
  page.expect(/401|HTTP Authentication failed/);
  const asked = [];
  page.on("websocket", (socket) => asked.push(socket.url()));
  page.on("request", (request) => request.url().includes("/ws") && asked.push(request.url()));
  await page.locator("main.lesson").waitFor();
  await menu(page, "real");
  await page.locator('[data-real="connect"]').click();
  // Asked by fetch, as a script is not told why a WebSocket was refused.
  await page.locator(".real-dialog .wrong", { hasText: "a token is needed" }).waitFor();
  await page.locator('.real-dialog input[name="token"]').fill(token);
  await page.locator('[data-real="connect"]').click();
  await state(page, "ready");
  const servers = pids.length;
  await page.locator('[data-real="disconnect"]').click();
  await panel(page).waitFor({ state: "detached" });
  await menu(page, "real");
  await page.locator('.real-dialog input[name="token"]').fill(token);
  await page.locator('[data-real="connect"]').click();
  await state(page, "ready");
  assert.equal(pids.length, servers, "the servers are those of before");
  assert.ok(asked.length >= 3, asked.join(" "));
  for (const address of asked) assert.match(address, /\/ws\?node=\d+$/);
});

test("a page from another origin is turned away", async (t) => {
  const { url } = await proxy();
  const hostile = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>hostile</title>");
  });
  await new Promise((done) => hostile.listen(0, "127.0.0.1", done));
  t.after(() => hostile.close());
  const context = await (await browser()).newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${hostile.address().port}/`);
  const address = `${url.replace("http", "ws")}ws?node=0`;
  const outcome = await page.evaluate(
    (address) =>
      new Promise((done) => {
        const socket = new WebSocket(address, ["interleave", "visitor.hostile-0123456789"]);
        socket.onopen = () => done("open");
        socket.onerror = () => done("refused");
      }),
    address,
  );
  assert.equal(outcome, "refused");
});

for (const language of ["en", "zh"]) {
  test(`a small crowd on a real Redis stands over the simulator's bars (${language})`, async (t) => {
    const { url } = await proxy();
    const page = await open(t, `${url}#lesson=oversell&mode=crowd&crowd=seeds:3,variants:naive.lua&lang=${language}`, { language });
    await page.locator('[data-run="real"]').click();
    await page.locator("dialog.real-dialog[open]").waitFor();
    await page.locator('[data-real="connect"]').click();
    // The form is made small enough, and says so.
    await page.locator(".crowd-state .said", { hasText: /28 (clients|个客户端)/ }).waitFor();
    assert.equal(await page.locator("#crowd-clients").inputValue(), "28");
    await page.locator(".crowd-state .said", { hasText: /(5 runs of each|每种写法 5 次运行)/ }).waitFor({ timeout: 180_000 });
    const outcome = page.locator(".crowd-table tbody tr").nth(1).locator("td");
    const real = /(?:real Redis: |真实 Redis：)(?:always |始终是 )?(\d+)/;
    assert.ok(Number(real.exec(await outcome.nth(0).innerText())[1]) > 0, "GET / SET oversells on a real server too");
    assert.equal(real.exec(await outcome.nth(1).innerText())[1], "0", "the script does not");
    assert.ok((await page.locator(".histogram .real").count()) >= 2);
  });
}

test("a crowd that nobody answers says so, and asks again", async (t) => {
  const page = await open(t, "#lesson=oversell&mode=crowd&crowd=seeds:1,clients:5");
  page.expect(NOBODY);
  await page.locator('[data-run="real"]').click();
  await page.locator('dialog.real-dialog input[name="address"]').fill("ws://127.0.0.1:9/ws");
  await page.locator('[data-real="connect"]').click();
  await page.locator(".crowd-state .said", { hasText: "ws://127.0.0.1:9/ws" }).waitFor();
  await page.locator('[data-run="real"]').click();
  await page.locator("dialog.real-dialog[open] .wrong", { hasText: "nothing answers" }).waitFor();
});
