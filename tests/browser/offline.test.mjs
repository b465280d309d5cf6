// The page without a network: kept after the first visit, whole, under a sub-path too; a new version
// is announced and waits; a reader who wants no copy has none; and nothing wrong is ever kept.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { createHash } from "node:crypto";
import test from "node:test";
import { ROOT, browser, open, shown } from "./harness.mjs";

const KINDS = {
  ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json",
  ".wasm": "application/wasm", ".svg": "image/svg+xml", ".png": "image/png",
  ".webmanifest": "application/manifest+json",
};
const BASE = "/courses/redis/";
const POLICY = /Content-Security-Policy: (.*)/.exec(readFileSync(join(ROOT, "dist/_headers"), "utf8"))[1];

/**
 * A host of a copy of the page, under a sub-path. `change` is called with every path before it is
 * answered and may answer itself.
 */
async function host(t, change = () => false) {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  cpSync(join(ROOT, "dist"), folder, { recursive: true });
  const asked = [];
  const state = { folder, asked, change };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const name = normalize(path.startsWith(BASE) ? path.slice(BASE.length) || "index.html" : "none");
    asked.push(name);
    if (state.change(name, response)) return;
    try {
      const body = readFileSync(join(folder, name));
      const kind = KINDS[extname(name)] ?? "application/octet-stream";
      const headers = { "content-type": kind, "cache-control": "no-cache" };
      if (name === "index.html") headers["content-security-policy"] = POLICY;
      // A page without an origin of its own asks for everything as a stranger.
      headers["access-control-allow-origin"] = "*";
      response.writeHead(200, headers);
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  state.url = `http://127.0.0.1:${server.address().port}${BASE}`;
  state.stop = () => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  };
  t.after(async () => {
    await state.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return state;
}

async function visit(t, url, options = {}) {
  const context = await (await browser()).newContext({ reducedMotion: "reduce", ...options });
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(url);
  await shown(page);
  return page;
}

/** Waits until the keeper of the copy has said this. */
const said = (page, word) =>
  page.locator(`html[data-offline="${word}"]`).waitFor({ state: "attached" });

const caches = (page) => page.evaluate(() => window.caches.keys());

/** Another version of the page: its root says so. */
function renew(folder) {
  const page = join(folder, "index.html");
  const html = readFileSync(page, "utf8").replace(/<html/i, "<html data-version=another");
  writeFileSync(page, html);
  const worker = join(folder, "offline-worker.js");
  const hash = `sha256-${createHash("sha256").update(html).digest("base64")}`;
  const text = readFileSync(worker, "utf8")
    .replace(/\["\.\/","sha256-[^"]+"\]/, JSON.stringify(["./", hash]))
    .replace(/const VERSION = "\w+"/, 'const VERSION = "another"');
  writeFileSync(worker, text);
}

test("after the first visit everything is there without a network", async (t) => {
  const site = await host(t);
  const page = await visit(t, site.url);
  await said(page, "kept");
  await site.stop();
  // The browser's own cache is no help: every file of this host has to be asked for again.
  await page.goto(`${site.url}?x#lesson=redlock&mode=schedule&lang=zh`);
  await page.locator("main.lesson").waitFor();
  await page.goto(`${site.url}#lesson=lost-update&mode=find&lang=en`);
  await page.reload();
  await page.getByText(/shortest run/).first().waitFor();
  await page.goto(`${site.url}#page=glossary&lang=en`);
  await page.locator(".glossary dt").first().waitFor();
});

test("every file that the page may ask for is in the list", async () => {
  const worker = readFileSync(join(ROOT, "dist/offline-worker.js"), "utf8");
  const listed = new Map([...worker.matchAll(/^\["([^"]+)","(sha256-[^"]+)"\],?$/gm)].map((m) => [m[1], m[2]]));
  // Beside them are their compressed forms, which the server sends in their place.
  const files = readdirSync(join(ROOT, "dist/lessons")).filter((name) => !/\.(br|gz)$/.test(name));
  for (const name of files) {
    const hash = createHash("sha256").update(readFileSync(join(ROOT, "dist/lessons", name)));
    assert.equal(listed.get(`lessons/${name}`), `sha256-${hash.digest("base64")}`, name);
  }
  assert.ok(listed.has("./"));
  assert.ok([...listed.keys()].some((name) => /^search-.*wasm$/.test(name)));
});

test("a new version is announced and taken when the reader likes", async (t) => {
  const site = await host(t);
  const page = await visit(t, `${site.url}#lesson=lost-update&mode=schedule&lang=en`);
  await said(page, "kept");
  await page.locator("button.step").first().click();
  await page.locator('main.lesson[data-step-now="1"]').waitFor();
  const address = page.url();
  renew(site.folder);
  await page.evaluate(() => navigator.serviceWorker.ready.then((one) => one.update()));
  const bar = page.locator(".news");
  await bar.getByText("A new version of this page is ready").waitFor();
  assert.equal(page.url(), address, "nobody is moved");
  const source = () => page.evaluate(() => fetch("./").then((r) => r.text()));
  const another = /data-version=another/;
  assert.doesNotMatch(await source(), another, "the old one goes on");
  await bar.getByRole("button", { name: "Later" }).click();
  assert.equal(await bar.innerText(), "");
  await page.reload();
  await shown(page);
  assert.doesNotMatch(await source(), another, "a reload is no consent");
  assert.doesNotMatch(await page.content(), another);
  await bar.getByRole("button", { name: "Reload" }).click();
  // The document itself: the new worker answers before the old page has gone.
  await page.locator('html[data-version=another] main.lesson[data-step-now="1"]').waitFor();
  assert.equal(page.url(), address, "and the reader is where they were");
});

test("a reader who wants no copy has none, and stays without", async (t) => {
  const site = await host(t);
  const page = await visit(t, `${site.url}#lesson=lost-update&lang=en`);
  await said(page, "kept");
  await page.keyboard.press("?");
  const help = page.locator("dialog.help");
  await help.getByRole("button", { name: "Remove the copy" }).click();
  await help.getByRole("button", { name: "Keep a copy" }).waitFor();
  const left = async () => ({
    caches: await caches(page),
    workers: await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
  });
  assert.deepEqual(await left(), { caches: [], workers: 0 });
  await page.reload();
  await said(page, "out");
  assert.deepEqual(await left(), { caches: [], workers: 0 });
  // And back in, when there is a program that hears the key.
  await shown(page);
  await page.keyboard.press("?");
  await help.getByRole("button", { name: "Keep a copy" }).click();
  await said(page, "kept");
  // By the address, where the page itself cannot be reached.
  await page.goto(`${site.url}?no-offline#lang=en`);
  await said(page, "out");
  assert.deepEqual(await left(), { caches: [], workers: 0 });
  await page.goto(`${site.url}?again#lang=en`);
  await said(page, "out");
  assert.deepEqual(await left(), { caches: [], workers: 0 });
});

test("what is not the page's is never kept", async (t) => {
  const site = await host(t);
  // A portal that answers everything with its own page, as soon as the first visit is over.
  site.change = (name, response) => {
    if (!/^lessons\/(?!index|lost-update)/.test(name)) return false;
    response.writeHead(200, { "content-type": "text/html" }).end("<h1>Please log in</h1>");
    return true;
  };
  const page = await visit(t, site.url);
  await said(page, "in");
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await page.waitForFunction(async () => {
    const names = await caches.keys();
    const kept = names.length === 1 ? await (await caches.open(names[0])).keys() : [];
    return kept.some((request) => request.url.includes("index.json"));
  });
  const texts = async () =>
    page.evaluate(async () => {
      const found = [];
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) found.push(await (await cache.match(request)).text());
      }
      return found.filter((text) => text.includes("Please log in")).length;
    });
  await page.goto(`${site.url}#lesson=redlock&lang=en`);
  await page.locator(".banner").waitFor();
  assert.equal(await texts(), 0);
  // Once the portal is gone the lesson opens.
  site.change = () => false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator("main.lesson").waitFor();
});

test("a host that fails half-way leaves the page as it was", async (t) => {
  const site = await host(t);
  const page = await visit(t, site.url);
  await said(page, "kept");
  renew(site.folder);
  site.change = (name, response) => {
    if (name === "offline-worker.js") return false;
    response.destroy();
    return true;
  };
  await page.evaluate(() => navigator.serviceWorker.ready.then((one) => one.update()).catch(() => {}));
  await page.reload();
  await shown(page);
  assert.equal(await page.locator(".news").innerText(), "");
});

for (const [what, script] of [
  ["storage is refused", () => {
    Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } });
  }],
  ["workers are refused", () => {
    Object.defineProperty(Navigator.prototype, "serviceWorker", { get() { throw new DOMException("no", "SecurityError"); } });
  }],
  ["registering is refused", () => {
    ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException("no", "SecurityError"));
  }],
]) {
  test(`the page works where ${what}`, async (t) => {
    const page = await open(t, "", { serviceWorkers: "allow" });
    await page.addInitScript(script);
    await page.goto(`${page.url().split("#")[0]}?again#lesson=lost-update&mode=schedule&lang=en`);
    await page.locator("button.step").first().click();
    await page.locator('main.lesson[data-step-now="1"]').waitFor();
  });
}

test("a frame without an origin leaves nothing and works", async (t) => {
  const site = await host(t);
  const page = await (await (await browser()).newContext()).newPage();
  t.after(() => page.context().close());
  await page.setContent(`<iframe sandbox="allow-scripts" width="800" height="500"
    src="${site.url}#lesson=lost-update&mode=schedule&lang=en"></iframe>`);
  const frame = page.frameLocator("iframe");
  await frame.locator("button.step").first().click();
  await frame.locator('main.lesson[data-step-now="1"]').waitFor();
  assert.ok(!site.asked.includes("offline-worker.js"));
});

test("it can be installed", async (t) => {
  const page = await open(t, "", { serviceWorkers: "allow" });
  const client = await page.context().newCDPSession(page);
  const { manifest, errors } = await client.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  assert.ok(manifest);
  const { installabilityErrors } = await client.send("Page.getInstallabilityErrors");
  const ids = installabilityErrors.map((one) => one.errorId).filter((id) => id !== "in-incognito");
  assert.deepEqual(ids, []);
});
