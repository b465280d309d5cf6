// The page's side of its offline copy: it asks for one when the page has come to rest, tells the
// page of a new version, and removes all of it for a reader who wants none: `?no-offline` in the
// address, or the button in the list of keys. Speaks to the page by two events that carry a word.

"use strict";

(() => {
  const OUT = "interleave.no-offline";
  const HOUR_MS = 3_600_000;

  const link = document.querySelector("link[rel=offline-worker]");
  let workers;
  try {
    workers = navigator.serviceWorker;
  } catch {
    // A page without an origin of its own has none.
  }
  // A frame in somebody's course page leaves nothing behind.
  if (!link || !workers || window.top !== window) return;

  // Trusted Types: only such an address may become a worker.
  let address = link.href;
  try {
    const policy = trustedTypes.createPolicy("interleave-offline", { createScriptURL: () => link.href });
    address = policy.createScriptURL("");
  } catch {
    // The browser has none, or a host's policy allows only others.
  }
  const base = new URL("./", document.baseURI);
  /** The word stands at the root too, for a page that was not ready to listen. */
  function say(data) {
    const { dataset } = document.documentElement;
    // Nothing is more important than that a new version waits.
    if (dataset.offline === "new" && data !== "out") return;
    dataset.offline = data;
    dispatchEvent(new MessageEvent("interleave-offline", { data }));
  }

  function remembered(out) {
    try {
      if (out === undefined) return localStorage.getItem(OUT) !== null;
      if (out) localStorage.setItem(OUT, "1");
      else localStorage.removeItem(OUT);
    } catch {
      // Where nothing can be stored, the address decides each time.
    }
    return false;
  }

  async function leave() {
    remembered(true);
    const registration = await workers.getRegistration(base.href);
    // It goes on answering this page until that is closed.
    registration?.active?.postMessage("leave");
    await registration?.unregister();
    for (const name of await caches.keys()) {
      if (name.startsWith(`interleave ${base.pathname} `)) await caches.delete(name);
    }
    say("out");
  }

  let registration;

  async function join() {
    // A page that was loaded without a worker and is taken over by one is as new as the worker.
    let had = Boolean(workers.controller);
    workers.addEventListener("controllerchange", () => {
      if (had) say("new");
      had = true;
    });
    workers.addEventListener("message", (event) => say(event.data));
    registration = await workers.register(address, { updateViaCache: "none" });
    const waits = () => {
      if (registration.waiting && workers.controller) say("new");
    };
    waits();
    registration.addEventListener("updatefound", () => {
      registration.installing?.addEventListener("statechange", waits);
    });
    say("in");
    let looked = Date.now();
    document.addEventListener("visibilitychange", () => {
      if (document.hidden || Date.now() - looked < HOUR_MS) return;
      looked = Date.now();
      registration.update().catch(() => {});
    });
    const { active } = await workers.ready;
    if (!navigator.connection?.saveData) rest(() => active.postMessage("fill"));
  }

  async function renew() {
    const again = () => location.reload();
    if (!registration?.waiting) return again();
    workers.addEventListener("controllerchange", again, { once: true });
    registration.waiting.postMessage("renew");
  }

  const refused = (why) => say(`refused ${why}`);
  const rest = (then) =>
    window.requestIdleCallback ? requestIdleCallback(then, { timeout: 8000 }) : setTimeout(then, 3000);

  addEventListener("interleave-offline-ask", ({ data }) => {
    if (data === "leave") leave().catch(refused);
    if (data === "renew") renew();
    if (data === "join") {
      remembered(false);
      join().catch(refused);
    }
  });

  if (new URL(location.href).searchParams.has("no-offline")) leave().catch(refused);
  else if (remembered()) addEventListener("load", () => rest(() => say("out")));
  else addEventListener("load", () => rest(() => join().catch(refused)));
})();
