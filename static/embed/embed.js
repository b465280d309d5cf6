// Lessons of Interleave in a course page: <script src=".../embed/embed.js" async></script>
//
// <redis-lesson lesson="lost-update" lang="zh"> becomes a frame; a script tag with
// data-lesson="lost-update" puts such an element behind itself, with its other data-* as attributes.
// An element has the host's theme, and is never higher than the host's window. It and every plain
// <iframe> of this address gets as high as what is in it, and reports: the events are "lesson-ready",
// "lesson-step", "lesson-violation", "lesson-goal" and "lesson-error", with the message as `detail`.
// Parameters, messages and recipes: README.md beside this file; types: static/npm/index.d.ts.
(() => {
  "use strict";
  const script = document.currentScript;
  if (script.dataset.lesson !== undefined) {
    const element = document.createElement("redis-lesson");
    for (const [name, value] of Object.entries(script.dataset)) element.setAttribute(name, value);
    script.after(element);
  }
  if (customElements.get("redis-lesson")) return;

  const home = new URL(".", script.src);
  // A program comes with an address alone.
  const PROGRAMS = ["code", "program", "scenario"];
  const STATE = ["lesson", "variant", "mode", "walk", "schedule", "run", "step", "wire", "compare", "beside",
    "crowd", "at", ...PROGRAMS];
  const QUERY = ["lang", "theme", "tabs", "panels", "controls", "from", "to", "repeat", "readonly",
    "hints", "keys", "answers", "goal", "height", "max", "origin", "compat", "poster", "title"];
  const EVENTS = ["ready", "step", "violation", "goal", "error"];
  const waiting = new Map();
  let last = 0;

  /** Asks a frame; resolves with its answer, rejects with its reason. */
  const send = (frame, type, fields) => new Promise((resolve, reject) => {
    const id = ++last;
    const timer = setTimeout(() => waiting.delete(id) && reject(new Error("no answer")), 10000);
    waiting.set(id, (answer) => {
      clearTimeout(timer);
      answer.ok ? resolve(answer) : reject(new Error(answer.error));
    });
    const closed = frame.sandbox.length > 0 && !frame.sandbox.contains("allow-same-origin");
    frame.contentWindow?.postMessage(
      { ...fields, ns: "interleave", v: 1, type, id }, closed ? "*" : home.origin);
  });

  const frameOf = (source) => [...document.querySelectorAll("iframe")].find((frame) =>
    frame.contentWindow === source && frame.src.startsWith(home.href));

  /** No higher than the host's window, of a phone's with its bars; CSS follows a window that changes. */
  const cap = (frame) => {
    if (frame.style.maxHeight || /[?&]height=auto/.test(frame.src)) return;
    // A browser that does not know the second keeps the first.
    for (const all of ["100vh", "100svh"]) frame.style.maxHeight = `max(320px, ${all})`;
  };

  /** Says that we listen, and how high our window is. */
  const hello = (frame) => send(frame, "hello", { window: innerHeight }).catch(() => {});

  const greeted = new Set();
  addEventListener("resize", () => {
    for (const frame of greeted) frame.isConnected ? hello(frame) : greeted.delete(frame);
  });

  addEventListener("message", ({ data, source, origin }) => {
    if (data?.ns !== "interleave" || data.v !== 1) return;
    const frame = frameOf(source);
    // A frame with no origin of its own is still known by its window.
    if (!frame || (origin !== home.origin && origin !== "null")) return;
    const host = frame.closest("redis-lesson") ?? frame;
    if (data.type === "answer") {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    } else if (data.type === "resize") {
      if (data.height > 0 && data.height <= 1e4) {
        frame.style.height = `${Math.ceil(data.height)}px`;
        cap(frame);
      }
    } else if (data.type === "paper") {
      frame.paper = Math.min(data.height, 1e4);
    } else if (EVENTS.includes(data.type)) {
      if (data.type === "ready") {
        greeted.add(frame);
        hello(frame);
        if (host !== frame && !host.title) frame.title = `Interleave: ${data.title}`;
        follow();
        if (host.changed) catchUp(host);
      }
      host.dispatchEvent(new CustomEvent(`lesson-${data.type}`, { detail: data, bubbles: true }));
    }
  });

  // A frame is printed as high as it is; the lesson in it is laid out for paper then.
  addEventListener("beforeprint", () => {
    for (const frame of greeted) {
      frame.screen = frame.style.cssText;
      if (frame.paper) frame.style.cssText += `;height:${frame.paper}px;max-height:none`;
    }
  });
  addEventListener("afterprint", () => {
    for (const frame of greeted) frame.style.cssText = frame.screen ?? frame.style.cssText;
  });

  // ---- The host's theme ----

  const root = document.documentElement;
  const SWITCHES = ["data-theme", "data-bs-theme", "data-md-color-scheme", "data-color-mode"];
  // Quarto's styles come after its class.
  const CLASSES = ["dark", "quarto-dark", "quarto-light"];
  const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

  /** Whether these colours, painted one over the other, are light. */
  const isLight = (...colours) => {
    for (const colour of colours) {
      pixel.fillStyle = colour;
      pixel.fillRect(0, 0, 1, 1);
    }
    const [red, green, blue] = pixel.getImageData(0, 0, 1, 1).data;
    return red * 0.3 + green * 0.59 + blue * 0.11 > 127;
  };

  /** The host's theme at `element`: what the host's switch says, or else what is seen behind it. */
  const themeAt = (element) => {
    const said = [getComputedStyle(element).colorScheme];
    for (const one of [root, document.body]) {
      said.push(...SWITCHES.map((name) => one.getAttribute(name) ?? ""));
      said.push(...CLASSES.filter((name) => one.classList.contains(name)));
    }
    for (const word of said) {
      const dark = /\b(dark|slate)\b/.test(word);
      // "light dark" leaves it open.
      if (dark !== /\blight\b/.test(word)) return dark ? "dark" : "light";
    }
    const behind = [];
    for (let one = element; one; one = one.parentElement) behind.unshift(getComputedStyle(one).backgroundColor);
    // Where nothing is painted, the text is what shows.
    const paper = isLight("#fff", getComputedStyle(element).color) ? "#000" : "#fff";
    return isLight(paper, ...behind) ? "light" : "dark";
  };

  const themeOf = (element) => {
    const own = element.getAttribute("theme") ?? "host";
    return own === "host" ? themeAt(element) : own;
  };

  /** Tells each frame its theme, unless it has it. */
  const follow = () => {
    for (const element of document.querySelectorAll("redis-lesson")) {
      const { frame } = element;
      const theme = themeOf(element);
      if (!frame || element.told === theme) continue;
      if (element.loaded) {
        // One that was just loading does not answer, and is told again when it is ready.
        element.told = undefined;
        send(frame, "setTheme", { theme }).then(() => { element.told = theme; }, () => {});
      } else {
        frame.src = element.address();
      }
    }
  };

  const seen = new MutationObserver(follow);
  const watch = { attributeFilter: ["class", "style", ...SWITCHES] };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", follow);
  // Styles that come late, or change slowly.
  addEventListener("load", follow);
  addEventListener("transitionend", ({ target }) => {
    if (target === root || target === document.body) follow();
  });

  // ---- The element ----

  const pick = (element, names) => new URLSearchParams(
    names.filter((name) => element.hasAttribute(name)).map((name) => [name, element.getAttribute(name)]));

  const fragment = (element) => pick(element, STATE).toString().replaceAll("+", "%20");

  /** Tells the frame of attributes that were changed; if it is not there yet, when it is. */
  const catchUp = (element) => {
    const { lang, theme, ...rest } = element.changed ?? {};
    element.changed = undefined;
    const keep = (some) => () => { element.changed = { ...some, ...element.changed }; };
    if (!element.loaded || PROGRAMS.some((name) => rest[name] !== undefined)) {
      element.frame.src = element.address();
      return;
    }
    follow();
    if (isOurs(lang)) element.send("setLang", { lang }).catch(keep({ lang }));
    if (Object.keys(rest).length) element.load(fragment(element)).catch(keep(rest));
  };

  const isOurs = (lang) => /^(en|zh)\b/i.test(lang ?? "");

  class RedisLesson extends HTMLElement {
    static observedAttributes = ["lang", "theme", ...STATE];

    connectedCallback() {
      if (this.frame) return;
      const frame = document.createElement("iframe");
      frame.loading = "lazy";
      frame.title = this.title || `Interleave: ${this.textContent.trim() || this.getAttribute("lesson")}`;
      // A page of the same origin could leave that sandbox anyway.
      const sandbox = this.getAttribute("sandbox") ??
        (home.origin === location.origin ? null : "allow-scripts allow-same-origin");
      if (sandbox !== null) frame.sandbox = sandbox;
      const fixed = Number(this.getAttribute("height"));
      const height = fixed || Math.min(640, Number(this.getAttribute("max")) || 640);
      frame.style.cssText = `display:block;width:100%;border:0;height:${height}px`;
      frame.src = this.address();
      if (!fixed) cap(frame);
      frame.addEventListener("load", () => {
        this.loaded = true;
        follow();
      });
      this.frame = frame;
      this.style.display ||= "block";
      this.replaceChildren(frame);
      // Once is as good as often.
      for (const one of [root, document.body]) seen.observe(one, watch);
    }

    /** The frame's address, as the attributes are now. */
    address() {
      const query = pick(this, QUERY);
      const around = this.closest("[lang]")?.lang;
      isOurs(around) ? query.set("lang", around) : query.delete("lang");
      this.told = themeOf(this);
      query.set("theme", this.told);
      return `${home.href}index.html?${query}#${fragment(this)}`;
    }

    attributeChangedCallback(name, before, after) {
      if (!this.frame || before === after) return;
      this.changed = { ...this.changed, [name]: after };
      clearTimeout(this.timer);
      this.timer = setTimeout(() => catchUp(this));
    }

    send(type, fields) { return send(this.frame, type, fields); }
    goto(step) { return this.send("goto", { step }); }
    play() { return this.send("play"); }
    pause() { return this.send("pause"); }
    reset() { return this.send("reset"); }
    load(link) { return this.send("load", { link }); }
    async getState() { return (await this.send("getState")).state; }
  }
  customElements.define("redis-lesson", RedisLesson);
})();
