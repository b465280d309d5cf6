// The door of an embed: a few bytes that wait until somebody sees the frame (or, with `poster`,
// clicks it), and only then let the page itself in. So ten embeds on a page cost little.
"use strict";

const asked = new URLSearchParams(location.search);
const zh = (asked.get("lang") || navigator.language || "").startsWith("zh");
// A view has no second "#": what follows is of the host, as "#?secret=…" is of WordPress.
const view = location.hash.split("#", 2)[1] ?? "";
const root = document.documentElement;
root.lang = zh ? "zh-Hans" : "en";
root.dataset.theme = asked.get("theme") || "auto";

// The host may change its theme while the door is shut.
addEventListener("message", ({ data, source, origin }) => {
  if (source !== parent || data?.ns !== "interleave" || data.type !== "setTheme") return;
  root.dataset.theme = data.theme;
  asked.set("theme", data.theme);
  const answer = { ns: "interleave", v: 1, type: "answer", id: data.id, ok: true };
  parent.postMessage(answer, origin === "null" ? "*" : origin);
});

function enter() {
  const rest = new URLSearchParams(asked);
  for (const name of ["poster", "title", "embed"]) rest.delete(name);
  const query = rest.toString();
  location.replace(`../index.html?embed${query && `&${query}`}#${view}`);
}

function part(name, className, text) {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
}

const poster = asked.get("poster");
if (poster !== null && poster !== "0") {
  const lesson = new URLSearchParams(view).get("lesson") || "Interleave";
  const button = part("button", "poster", "");
  button.type = "button";
  button.append(
    part("span", "mark", "▶"),
    part("strong", "", (asked.get("title") || lesson).slice(0, 120)),
    part("span", "start", zh ? "点击开始" : "Click to start"),
  );
  button.addEventListener("click", enter, { once: true });
  document.body.append(button);
} else if ("IntersectionObserver" in window) {
  document.body.append(part("p", "wait", zh ? "正在加载……" : "Loading…"));
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    enter();
  });
  observer.observe(document.body);
} else {
  enter();
}
