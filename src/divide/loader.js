// What `divide` adds to the script of wasm-bindgen: it starts the page, and gets the later
// modules of its program, in their order: what lessons run, and the rest. Names begin with `later`, as
// the script's own, minified, do not.
// Before this stand laterInit, laterModuleName and laterFirst; START, FILES, FIRST-LESSON and LESSON-IDS are
// filled in. Comments of whole lines and indentation are taken out.

var laterImports, laterTimer, laterMissed;
// The numbers of the part up to which all is there, and of that up to which all is wanted now.
var laterThere = 0, laterWanted = 0;
// Of each part: its address, its module on the way, and that module begun.
const laterUrls = [FILES].map((file) => new URL(file, import.meta.url).href), laterWays = [], laterBegun = [];
const laterLast = laterUrls.length - 1;
// What the modules lend to those after them.
const laterExports = {};

// The program looks whether this is there before it begins what can wait.
const laterMark = document.documentElement.dataset;
laterMark.later = "coming";

const laterStyles = () => {
  for (const link of document.querySelectorAll("link[rel=later-style]")) link.rel = "stylesheet";
};

// What waits until all is there: presses that need more than the first part.
const laterHeld = [];

function laterHere() {
  if (laterThere === laterLast) {
    delete laterMark.later;
    interleaveSay();
    if (laterMissed) return location.reload();
  }
  for (const again of laterHeld.splice(0)) again();
}

// The program needs a function that is not there. It cannot wait, and does not know what it had half done: once all
// is there the page begins again at its address, with all parts.
function laterLoad(part) {
  if (laterThere >= part) return;
  performance.mark("later-waited", { detail: new Error().stack });
  if (!laterMissed) {
    laterMissed = 1;
    laterMark.later = "missed";
    history.replaceState({ later: 1 }, "");
    interleaveComing();
    laterTry();
  }
  throw new Error("a function of a later part was needed before it was there");
}

// Presses that what is there answers; of other things only what can be pressed is held back.
const LATER_CLICKS = "button.step, button.lang, button.parts, .strip, .head .mark, [data-ask], [data-move^=answer-]," +
  ["back", "forward", "first", "last", "play"].map((name) => `[data-move=${name}],`).join("") +
  "[data-mode=watch], [data-mode=schedule], .outcome a[href*='lesson=FIRST-LESSON']";
const LATER_KEYS = /^(Arrow.*|Home|End|Tab|Shift|Enter|Escape| |[a-ft1-9])$/i;
const LATER_PRESSED = "a, button, select, input, textarea, summary, label, [role=button], [tabindex]";

function laterGate(event) {
  const { type, target } = event;
  if (laterThere === laterLast || !event.isTrusted) return;
  // A course page that only says that it is there, and how it looks, is heard at once; and what is not for us.
  if (type === "message" && (event.source !== parent || /^(hello|setTheme)$/.test(event.data?.type))) return;
  // What is printed then is the page as it stands.
  if (type.endsWith("print")) return event.stopImmediatePropagation();
  const at = target instanceof Element ? target.closest(LATER_PRESSED) : null;
  if (!laterMissed) {
    if (type === "click" && (!at || target.closest(LATER_CLICKS) || at.origin && at.origin !== location.origin)) return;
    if (type === "click" && laterThere && target.closest("[data-mode=break]")) return;
    const keys = event.ctrlKey || event.altKey || event.metaKey || at?.matches("input, textarea, select");
    if (type === "keydown" && (keys || LATER_KEYS.test(event.key) || /^(Digit|Numpad)\d$/.test(event.code))) return;
    if (type === "hashchange" && laterNeeds() <= laterThere) return;
  }
  event.stopImmediatePropagation();
  if (type === "click") event.preventDefault();
  if (type !== "message") interleaveComing();
  laterTry();
  laterHeld.push(() => {
    if (type === "click") at.click();
    else (target.isConnected === false ? document.body : target).dispatchEvent(new event.constructor(type, event));
  });
}

// A part that the first picture needs has its share of the way; others come beside everything else.
async function laterFetch(part, priority) {
  const response = await fetch(laterUrls[part], { priority });
  if (!response.ok) throw new Error(`${laterUrls[part]}: ${response.status}`);
  const copy = response.clone();
  return WebAssembly.compileStreaming(response)
    .catch(async () => WebAssembly.compile(await copy.arrayBuffer()));
}

function laterAsk(priority) {
  for (let part = 1; part <= laterWanted; part++) {
    const way = (laterWays[part] ??= laterFetch(part, priority));
    way.catch(() => laterWays[part] === way && (laterWays[part] = undefined));
  }
}

async function laterCome() {
  laterStyles();
  laterAsk("low");
  while (laterThere < laterWanted) {
    const part = laterThere + 1;
    const module = await laterWays[part];
    // Each once, as it must not be there twice: it has data of its own.
    const { exports } =
      await (laterBegun[part] ??= WebAssembly.instantiate(module, { [laterFirst]: laterExports, [laterModuleName]: laterImports }));
    Object.assign(laterExports, exports);
    laterThere = Math.max(laterThere, part);
  }
}

// One more time after a while, however often it was asked for.
const laterTry = () => laterCome().then(laterHere, () => {
  if (laterHeld.length > 0 || laterMissed) {
    interleaveSay("later-failed", "alert", "A part of the page could not be loaded. It is tried again.",
      "页面有一部分未能加载，正在重试。");
  }
  clearTimeout(laterTimer);
  laterTimer = setTimeout(laterTry, 1e4);
});

// The number of the part that shows, with those before it, what the address leads to: the front page and the first
// lesson, a lesson (in a course page, too), or anything. A link to a step of a run may hold mistakes; a course page may
// ask for more than a lesson, and its frame may have no origin.
function laterNeeds() {
  const fragment = new URLSearchParams(location.hash.slice(1)), query = new URLSearchParams(location.search);
  const [lesson, mode, lang] = ["lesson", "mode", "lang"].map((name) => fragment.get(name));
  const isEmbed = parent !== self && query.has("embed") && origin !== "null";
  const known = isEmbed ? /^(lesson|variant|mode|lang)$/ : /^(lesson|mode|lang)$/;
  const isPlain = (isEmbed || parent === self && location.search === "") &&
    [lang, query.get("lang")].every((tag) => [null, "en", "zh"].includes(tag)) &&
    [...query.keys()].every((key) => /^(embed|lang|theme|tabs|height|max|title)$/.test(key)) &&
    [...fragment.keys()].every((key) => known.test(key));
  if (history.state?.later || !isPlain) return laterLast;
  if (!isEmbed && (lesson ?? "FIRST-LESSON") === "FIRST-LESSON" && [null, "watch", "schedule"].includes(mode)) return 0;
  return "LESSON-IDS".split(" ").includes(lesson) && [null, "situation", "watch", "schedule", "break"].includes(mode) ? 1 : laterLast;
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
  laterWanted = laterNeeds();
  if (laterWanted) laterStyles();
  laterAsk("high");
  Object.assign(laterExports, await laterInit({ module_or_path: laterUrls[0] }));
  if (laterWanted) {
    await new Promise((done) => {
      laterHeld.push(done);
      laterTry();
    });
  }
  laterWanted = laterLast;
  if (laterThere === laterLast) return laterExports.START();
  for (const type of ["click", "keydown", "change", "hashchange", "popstate", "message", "beforeprint", "afterprint"]) {
    addEventListener(type, laterGate, true);
  }
  laterExports.START();
  const idle = () => (self.requestIdleCallback ?? setTimeout)(laterTry, { timeout: 2e3 });
  for (const name of ["pointerdown", "keydown"]) {
    addEventListener(name, laterTry, { capture: true, once: true });
  }
  // What can be pressed comes first: on a slow network the rest would take its share of the way.
  const isDrawn = () => !document.getElementById("first") && document.querySelector("button.step, main:not(.loading)");
  const drawn = () => isDrawn() ? idle() : requestAnimationFrame(drawn);
  drawn();
  setTimeout(idle, 5e3);
}

laterStart();
