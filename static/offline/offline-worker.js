// Keeps the page at hand where there is no network.
//
// The build writes the list of the page's files, each with its hash, into this file (`check stamp`),
// so a new page is a new worker. A file is kept only if its hash is the listed one: what a captive
// portal or a half-finished upload answers is never taken for a part of the page. Whatever is
// refused (storage, network), the page is loaded as if there were no worker.
//
// Nothing is done behind the reader's back: a new version waits until the page says "renew".

"use strict";

/** Path and hash of every file; the first CORE of them are what the page needs to start. */
const FILES = [];
const CORE = 0;
const VERSION = "";

const SCOPE = new URL("./", location.href);
/** Caches belong to the origin, and several copies of the page may share one. */
const OURS = `interleave ${SCOPE.pathname} `;
const CACHE = OURS + VERSION;
const BY_PATH = new Map(FILES);

/** Under which name a file is kept: its contents are part of it. */
const key = (path, hash) => `${new URL(path, SCOPE)}?${encodeURIComponent(hash)}`;

/** Keeps a file, unless it is kept already. */
async function keep(cache, path, hash) {
  const name = key(path, hash);
  if (await cache.match(name)) return;
  // An earlier version may have had the same one.
  let response = await caches.match(name);
  if (!response) {
    const hashed = /-[0-9a-f]{9,16}[._]/.test(path);
    response = await fetch(new URL(path, SCOPE), {
      integrity: hash,
      cache: hashed ? "default" : "no-cache",
    });
    if (!response.ok || response.type !== "basic") throw new Error(`${path}: ${response.status}`);
    // A browser refuses a redirected answer to a navigation.
    if (response.redirected) response = new Response(response.body, response);
  }
  await cache.put(name, response);
}

async function install() {
  const cache = await caches.open(CACHE);
  for (const [path, hash] of FILES.slice(0, CORE)) await keep(cache, path, hash);
}

async function activate() {
  const ours = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
  // Another tab may still show the version before this one.
  for (const name of ours.slice(0, -1)) await caches.delete(name);
  await clients.claim();
}

/** The reader wants no copy: none is begun again while this worker still answers. */
let left = false;

/** The rest, one after the other. */
async function fill(client) {
  if (left) return;
  try {
    const cache = await caches.open(CACHE);
    for (const [path, hash] of FILES.slice(CORE)) await keep(cache, path, hash);
    client?.postMessage("kept");
  } catch {
    // The next visit goes on.
  }
}

async function answer(event, path, hash) {
  try {
    // Opening a cache would make it anew where the page has just removed it.
    const kept = await caches.match(key(path, hash), { cacheName: CACHE });
    if (kept) return kept;
    if (!left && (await caches.has(CACHE))) {
      const keeping = caches.open(CACHE).then((cache) => keep(cache, path, hash));
      event.waitUntil(keeping.catch(() => {}));
    }
  } catch {
    // Storage is refused.
  }
  return fetch(event.request);
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));

addEventListener("message", (event) => {
  if (event.data === "leave") left = true;
  if (event.data === "fill") event.waitUntil(fill(event.source));
  if (event.data === "renew") skipWaiting();
});

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || !url.href.startsWith(SCOPE.href)) return;
  if (url.searchParams.has("no-offline")) return;
  const path = url.pathname.slice(SCOPE.pathname.length).replace(/^index\.html$/, "") || "./";
  const hash = BY_PATH.get(path);
  if (hash) event.respondWith(answer(event, path, hash));
});
