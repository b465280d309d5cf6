// What `check split` adds to the script of wasm-bindgen: it starts the page, and gets the later
// module of its program. Names begin with `later`, as the script's own, minified, do not.
// Before this stand laterInit, laterModuleName and laterFirst; START, FIRST.wasm, LATER.wasm and
// FIRST-LESSON are filled in. Comments of whole lines and indentation are taken out.

var laterImports, laterExports, laterWay, laterPlace, laterTimer, laterThere, laterMissed, laterNow;
const [laterFirstUrl, laterUrl] =
  ["FIRST.wasm", "LATER.wasm"].map((file) => new URL(file, import.meta.url).href);

// The program looks whether this is there before it begins what can wait.
const laterMark = document.documentElement.dataset;
laterMark.later = "coming";

const laterStyles = () => {
  for (const link of document.querySelectorAll("link[rel=later-style]")) link.rel = "stylesheet";
};

const laterLinks = () => ({ [laterFirst]: laterExports, [laterModuleName]: laterImports });

// What waits until all is there: presses that need more than the first part.
const laterHeld = [];

// A word at the foot of the page: that it loads, or that a part cannot be had.
function laterSay(name, role, en, zh) {
  document.querySelector(".later-coming, .later-failed")?.remove();
  if (!name) return;
  const words = document.createElement("p");
  words.setAttribute("role", role);
  words.className = name;
  words.textContent = document.documentElement.lang.startsWith("zh") ? zh : en;
  document.body.append(words);
}
const laterComing = () => laterSay("later-coming", "status", "Loading …", "正在加载…");

function laterHere() {
  laterThere = 1;
  delete laterMark.later;
  laterSay();
  if (laterMissed) return location.reload();
  for (const again of laterHeld.splice(0)) again();
}

// The program needs a function that is not there. It cannot wait, and does not know what it had half done: once all
// is there the page begins again at its address, with both parts.
function laterLoad() {
  if (laterThere) return;
  performance.mark("later-waited", { detail: new Error().stack });
  if (!laterMissed) {
    laterMissed = 1;
    laterMark.later = "missed";
    history.replaceState({ later: 1 }, "");
    laterComing();
    laterTry();
  }
  throw new Error("a function of the later part was needed before it was there");
}

// Presses that the first part answers; of other things only what can be pressed is held back.
const LATER_CLICKS = "button.step[data-client], button.lang, button.parts, .strip, .head .mark, [data-ask]," +
  ["back", "forward", "first", "last", "play"].map((name) => `[data-move=${name}],`).join("") +
  ["watch", "schedule"].map((name) => `[data-mode=${name}],`).join("") + ".outcome a[href*='lesson=FIRST-LESSON']";
const LATER_KEYS = /^(Arrow.*|Home|End|Tab|Shift|Enter|Escape| |[ab1-9])$/i;
const LATER_PRESSED = "a, button, select, input, textarea, summary, label, [role=button], [tabindex]";

function laterGate(event) {
  const { type, target } = event;
  if (laterThere || !event.isTrusted) return;
  const at = target instanceof Element ? target.closest(LATER_PRESSED) : null;
  if (!laterMissed) {
    if (type === "click" && (!at || target.closest(LATER_CLICKS) || at.origin && at.origin !== location.origin)) return;
    const keys = event.ctrlKey || event.altKey || event.metaKey || at?.matches("input, textarea, select");
    if (type === "keydown" && (keys || LATER_KEYS.test(event.key) || /^(Digit|Numpad)\d$/.test(event.code))) return;
    if (type === "hashchange" && laterIsFirst()) return;
  }
  event.stopImmediatePropagation();
  if (type === "click") event.preventDefault();
  laterComing();
  laterTry();
  laterHeld.push(() => {
    if (type === "click") at.click();
    else (target.isConnected === false ? document.body : target).dispatchEvent(new event.constructor(type, event));
  });
}

// Ahead of need, beside everything else.
async function laterFetch() {
  const response = await fetch(laterUrl, { priority: "low" });
  if (!response.ok) throw new Error(`${laterUrl}: ${response.status}`);
  const copy = response.clone();
  return WebAssembly.compileStreaming(response)
    .catch(async () => WebAssembly.compile(await copy.arrayBuffer()));
}

async function laterCome() {
  if (laterThere) return;
  laterStyles();
  const module = await (laterWay ??= laterFetch());
  // Once, as it must not be there twice: it has data of its own.
  await (laterPlace ??= WebAssembly.instantiate(module, laterLinks()));
  if (!laterThere) laterHere();
}

// One more time after a while, however often it was asked for.
const laterTry = () => laterCome().catch(() => {
  laterWay = undefined;
  if (laterHeld.length > 0 || laterMissed || laterNow) {
    laterSay("later-failed", "alert", "A part of the page could not be loaded. It is tried again.",
      "页面有一部分未能加载，正在重试。");
  }
  clearTimeout(laterTimer);
  laterTimer = setTimeout(laterTry, 1e4);
});

// Does the address lead to what a first visit shows? A link to a step of a run does not: it may hold
// mistakes. Nor does a frame: it may have no origin.
function laterIsFirst() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const mode = fragment.get("mode");
  return parent === self && location.search === "" && (fragment.get("lesson") ?? "FIRST-LESSON") === "FIRST-LESSON" &&
    [null, "watch", "schedule"].includes(mode) && [null, "en", "zh"].includes(fragment.get("lang")) &&
    [...fragment.keys()].every((key) => /^(lesson|mode|lang)$/.test(key));
}

// Words that can be read before the program runs come first: on a slow network it would take its
// share of their way. A page that nobody sees paints nothing, and one in a frame maybe late.
const laterPainted = () =>
  new Promise((done) => {
    if (document.hidden) return done();
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 250);
  });

async function laterStart() {
  await laterPainted();
  laterNow = !laterIsFirst() || history.state?.later;
  if (laterNow) {
    laterStyles();
    (laterWay = laterFetch()).catch(() => {});
  }
  laterExports = await laterInit({ module_or_path: laterFirstUrl });
  if (laterNow) {
    const whole = new Promise((done) => laterHeld.push(done));
    laterTry();
    return whole.then(() => laterExports.START());
  }
  for (const type of ["click", "keydown", "change", "hashchange", "popstate"]) addEventListener(type, laterGate, true);
  laterExports.START();
  const idle = () => (self.requestIdleCallback ?? setTimeout)(laterTry, { timeout: 2e3 });
  for (const name of ["pointerdown", "keydown"]) {
    addEventListener(name, laterTry, { capture: true, once: true });
  }
  if (self.PerformanceObserver?.supportedEntryTypes?.includes("paint")) {
    new PerformanceObserver((list, observer) => {
      if (list.getEntriesByName("first-contentful-paint").length === 0) return;
      observer.disconnect();
      idle();
    }).observe({ type: "paint", buffered: true });
  }
  setTimeout(idle, 5e3);
}

laterStart();
