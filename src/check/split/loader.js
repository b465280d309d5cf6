// What `check split` adds to the script of wasm-bindgen: it starts the page, and gets the later
// module of its program. Names begin with `later`, as the script's own, minified, do not.
// Before this stand laterInit, laterModuleName and laterFirst; START, FIRST.wasm, LATER.wasm and
// FIRST-LESSON are filled in. Comments of whole lines and indentation are taken out.

var laterImports, laterExports, laterModule, laterWay, laterThere;
const [laterFirstUrl, laterUrl] =
  ["FIRST.wasm", "LATER.wasm"].map((file) => new URL(file, import.meta.url).href);

// The program looks whether this is there before it begins what can wait.
const laterMark = document.documentElement.dataset;
laterMark.later = "coming";

const laterLinks = () => ({ [laterFirst]: laterExports, [laterModuleName]: laterImports });

const laterStyles = () => {
  for (const link of document.querySelectorAll("link[rel=later-style]")) link.rel = "stylesheet";
};

function laterHere() {
  laterThere = 1;
  delete laterMark.later;
}

// The program needs a function that is not there: it waits, and the page with it.
function laterLoad() {
  if (laterThere) return;
  laterStyles();
  try {
    laterModule ??= new WebAssembly.Module(laterBytes());
    new WebAssembly.Instance(laterModule, laterLinks());
    laterHere();
  } catch (error) {
    laterSay();
    throw error;
  }
}

function laterBytes() {
  performance.mark("later-waited", { detail: new Error().stack });
  const request = new XMLHttpRequest();
  request.open("GET", laterUrl, false);
  request.overrideMimeType("text/plain; charset=x-user-defined");
  request.send();
  if (request.status !== 200) throw new Error(`${laterUrl}: ${request.status}`);
  return Uint8Array.from(request.responseText, (c) => c.charCodeAt(0));
}

// The program ends there: it cannot know what it had half done.
function laterSay() {
  if (document.querySelector(".later-failed")) return;
  const words = document.createElement("p");
  words.setAttribute("role", "alert");
  words.className = "later-failed";
  words.textContent = document.documentElement.lang.startsWith("zh")
    ? "页面有一部分未能加载，请重新加载页面。"
    : "A part of the page could not be loaded. Please reload the page.";
  document.body.prepend(words);
}

// Ahead of need, beside everything else.
async function laterFetch() {
  const response = await fetch(laterUrl, { priority: "low" });
  if (!response.ok) throw new Error(`${laterUrl}: ${response.status}`);
  const copy = response.clone();
  laterModule = await WebAssembly.compileStreaming(response)
    .catch(async () => WebAssembly.compile(await copy.arrayBuffer()));
}

async function laterCome() {
  laterStyles();
  await (laterWay ??= laterFetch());
  // At once, as it must not be there twice: it has data of its own.
  if (!laterThere && laterMayWait) new WebAssembly.Instance(laterModule, laterLinks());
  else if (!laterThere) await WebAssembly.instantiate(laterModule, laterLinks());
  laterHere();
}

// One more time after a while; who cannot wait asks for it anyway.
const laterTry = () => laterCome().catch(() => {
  laterWay = undefined;
  setTimeout(laterTry, 1e4);
});

// Does the address lead to what a first visit shows?
function laterIsFirst() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const mode = fragment.get("mode");
  return location.search === "" && (fragment.get("lesson") ?? "FIRST-LESSON") === "FIRST-LESSON" &&
    (mode === null || mode === "watch" || mode === "schedule") &&
    [...fragment.keys()].every((key) => /^(lesson|mode|lang|step|walk|variant|schedule)$/.test(key));
}

// Some browsers compile at once only what is small.
const laterMayWait = (() => {
  const bytes = new Uint8Array(8203);
  bytes.set([0, 97, 115, 109, 1, 0, 0, 0, 0, 128, 64]);
  try {
    return !!new WebAssembly.Module(bytes);
  } catch {
    return false;
  }
})();

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
  const now = !laterIsFirst() || !laterMayWait;
  if (now) {
    laterStyles();
    (laterWay = laterFetch()).catch(() => {});
  }
  laterExports = await laterInit({ module_or_path: laterFirstUrl });
  if (now) await laterTry();
  laterExports.START();
  if (now) return;
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
