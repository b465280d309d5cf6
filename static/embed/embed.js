// Lessons of Interleave in a course page: <script src=".../embed/embed.js" async></script>
//
// <redis-lesson lesson="lost-update" lang="zh"> becomes a frame; it and every plain <iframe> of this
// address gets as high as what is in it, and reports: the events are "lesson-ready", "lesson-step",
// "lesson-violation", "lesson-goal" and "lesson-error", with the message as `detail`. Parameters,
// messages and recipes: README.md beside this file.

/**
 * @typedef {{ns: "interleave", v: 1, type: string, id?: number|string}} Message
 * @typedef {Message & {lesson: string, title: string}} Ready
 * @typedef {Message & {height: number}} Resize
 * @typedef {Message & {lesson: string, variant: string, mode: string, step: number, steps: number}} Step
 * @typedef {Message & {lesson: string, property: string, step: number, schedule: string}} Violation
 * @typedef {Message & {lesson: string, goals: string[], reached: string[], score: number, max: 100,
 *   complete: boolean, skipped: number}} Goal
 * @typedef {Message & {ok: boolean, error?: string, state?: object}} Answer
 */
(() => {
  "use strict";
  const home = new URL(".", document.currentScript.src);
  const STATE = ["lesson", "variant", "mode", "walk", "schedule", "step", "wire", "program", "scenario"];
  const QUERY = ["lang", "theme", "tabs", "panels", "controls", "from", "to", "repeat", "readonly",
    "hints", "keys", "answers", "goal", "height", "max", "origin", "compat", "poster", "title"];
  const EVENTS = ["ready", "step", "violation", "goal", "error"];
  const waiting = new Map();
  let last = 0;

  /** Asks a frame; resolves with its answer, rejects with its reason. @returns {Promise<Answer>} */
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
      if (data.height > 0 && data.height <= 1e4) frame.style.height = `${Math.ceil(data.height)}px`;
    } else if (EVENTS.includes(data.type)) {
      if (data.type === "ready") {
        send(frame, "hello").catch(() => {});
        if (host !== frame && !host.title) frame.title = `Interleave: ${data.title}`;
        if (host.changed) host.catchUp();
      }
      host.dispatchEvent(new CustomEvent(`lesson-${data.type}`, { detail: data, bubbles: true }));
    }
  });

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
      const height = Number(this.getAttribute("height")) || Math.min(640, Number(this.getAttribute("max")) || 640);
      frame.style.cssText = `display:block;width:100%;border:0;height:${height}px`;
      frame.src = this.address();
      this.frame = frame;
      this.style.display ||= "block";
      this.replaceChildren(frame);
    }

    address() {
      const pick = (names) => {
        const found = new URLSearchParams();
        for (const name of names) if (this.hasAttribute(name)) found.set(name, this.getAttribute(name));
        return found;
      };
      const query = pick(QUERY);
      const around = this.closest("[lang]")?.lang ?? "";
      if (!query.has("lang") && /^(en|zh)\b/.test(around)) query.set("lang", around);
      return `${home.href}index.html?${query}#${pick(STATE).toString().replaceAll("+", "%20")}`;
    }

    attributeChangedCallback(name, before, after) {
      if (!this.frame || before === after) return;
      this.changed = { ...this.changed, [name]: after };
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.catchUp());
    }

    /** Tells the frame of attributes that were changed; if it is not there yet, when it is. */
    catchUp() {
      const { lang, theme, ...rest } = this.changed ?? {};
      const link = Object.fromEntries(STATE.map((name) => [name, this.getAttribute(name)]));
      this.changed = undefined;
      const keep = (some) => () => { this.changed = { ...some, ...this.changed }; };
      // Programs do not come by message.
      if (rest.program !== undefined || rest.scenario !== undefined) {
        this.frame.src = this.address();
        return;
      }
      if (lang) this.send("setLang", { lang }).catch(keep({ lang }));
      if (theme) this.send("setTheme", { theme }).catch(keep({ theme }));
      if (Object.keys(rest).length) this.send("load", link).catch(keep(rest));
    }

    send(type, fields) { return send(this.frame, type, fields); }
    goto(step) { return this.send("goto", { step }); }
    play() { return this.send("play"); }
    pause() { return this.send("pause"); }
    reset() { return this.send("reset"); }
    load(link) { return this.send("load", { link }); }
    async getState() { return (await this.send("getState")).state; }
  }
  if (!customElements.get("redis-lesson")) customElements.define("redis-lesson", RedisLesson);
})();
