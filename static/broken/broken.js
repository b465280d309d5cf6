// What is shown when the program of the page has ended: a panic, a trap, no memory. The page's head
// loads this file then (index.html), so that nothing here depends on the program: it takes the
// place of everything, says what happened, and leads on. Nothing is sent anywhere, except that a
// page around this one is told in its own protocol that the lesson has stopped.

const zh = document.documentElement.lang.startsWith("zh");
const words = (en, chinese) => (zh ? chinese : en);
const STORED = "interleave.";

/** The draft that is open, as the program has named it: it is stored under this name. */
const draft = document.documentElement.dataset.draft;

/** Storage, or nothing where the browser refuses it. */
function stored(name) {
  try {
    return localStorage.getItem(STORED + name);
  } catch {
    return null;
  }
}

/** The text of the draft, and whether the next visit finds it. */
function written() {
  const unkept = draft && window.interleaveUnkept?.[draft];
  const text = unkept ?? (draft ? stored(draft) : null);
  return { text, kept: unkept === undefined && text !== null };
}

/** The draft is not run again unasked: the program offers it. */
function mark() {
  try {
    if (draft && stored(draft) !== null) localStorage.setItem(`${STORED}loading.${draft}`, "1");
  } catch {
    // It is not kept, and so not run.
  }
}

/** Loads the page with what remains of its address; all of it where `names` is absent. */
function load(names) {
  if (names) {
    const from = new URLSearchParams(location.hash.slice(1));
    if (from.has("scenario")) from.set("page", "playground");
    const value = (name) => encodeURIComponent(from.get(name));
    const rest = names.filter((name) => from.has(name)).map((name) => `${name}=${value(name)}`);
    try {
      history.replaceState(null, "", `#${rest.join("&")}`);
    } catch {
      location.hash = rest.join("&");
    }
  }
  location.reload();
}

function save(text) {
  const json = text.startsWith("{");
  const link = document.createElement("a");
  const type = json ? "application/json" : "text/plain;charset=utf-8";
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = json ? "interleave-draft.json" : "interleave-draft.lua";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** What somebody who mends it needs to know. */
function report(why, panic) {
  const script = document.querySelector("link[rel=modulepreload]")?.href.split("/").pop();
  const stack = String(why?.stack ?? why).split("\n").slice(0, 12).join("\n");
  return [
    "### What happened",
    "The page stopped. What I did just before: …",
    "",
    "### The error",
    "```",
    ...(panic ? [panic.split("\n\nStack:")[0].trim(), ""] : []),
    stack,
    "```",
    "",
    "### Where",
    `- address: ${location.href}`,
    `- program: ${script ?? "not named"}`,
    `- browser: ${navigator.userAgent}`,
    `- window: ${innerWidth} × ${innerHeight}, ${document.documentElement.lang}`,
    "",
  ].join("\n");
}

function part(name, attributes, ...content) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}

function button(id, label, press) {
  const made = part("button", { type: "button", "data-broken": id }, label);
  made.addEventListener("click", () => press(made));
  return made;
}

/** Puts the report into the clipboard; where that is refused it is selected, to be copied by hand. */
async function copy(made, text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    made.textContent = words("Copied", "已复制");
  } catch {
    shown.parentElement.open = true;
    getSelection().selectAllChildren(shown);
  }
}

/** The page around this one hears that nothing more will come; nothing of the learner's is in it. */
function tellParent(message) {
  if (parent === window) return;
  const origin = new URLSearchParams(location.search).get("origin");
  try {
    parent.postMessage({ ns: "interleave", v: 1, type: "error", message }, origin || "*");
  } catch {
    // What the address names is no origin.
  }
}

/** Shows it. `why` is what was thrown, `panic` what the program said when it ended, if it did. */
export function show(why, panic) {
  const begun = !document.getElementById("first");
  const embed = "embed" in document.documentElement.dataset;
  const { text, kept } = written();
  mark();
  const title = begun
    ? words("The page has stopped", "页面已停止运行")
    : words("The page could not start", "页面无法启动");
  const about = [];
  if (!begun) {
    about.push(words(
      "A part of its program did not load, or this browser cannot run it. Check the connection and load the page again.",
      "程序未能完整加载，或者当前浏览器无法运行它。请检查网络，然后重新加载。",
    ));
  } else {
    about.push(words("An error ended its program.", "程序因错误而终止。"));
  }
  if (text !== null && !kept) {
    about.push(words(
      "This browser does not store your draft: save a copy before you go on.",
      "此浏览器没有保存你的草稿，请先保存一份副本再继续。",
    ));
  } else if (text !== null) {
    about.push(words(
      "Your draft is stored in this browser. It is not run when the page loads again: you decide what happens to it.",
      "你的草稿保存在此浏览器中，重新加载时不会运行它，由你决定如何处理。",
    ));
  }

  const issue = report(why, panic);
  const shown = part("pre", { lang: "en", tabindex: "0" }, issue);
  const link = new URLSearchParams(location.hash.slice(1));
  const start = link.has("lesson") ? ["lesson", "lang"] : ["page", "lang"];
  const more = [...link.keys()].some((name) => !start.includes(name));
  const ways = part("p", { class: "turn" });
  if (text !== null) {
    const on = words("Go on without the draft", "不运行草稿，继续");
    ways.append(button("on", on, () => load(start)));
  } else {
    ways.append(button("again", words("Load the page again", "重新加载页面"), () => load()));
    if (begun && more) {
      ways.append(button("on", words("Start over, without this run", "放弃此次运行，从头开始"), () => load(start)));
    }
  }
  if (text !== null) {
    ways.append(button("save", words("Save a copy of the draft", "保存草稿副本"), () => save(text)));
  }
  ways.firstChild.className = "main";
  ways.append(button("report", words("Copy a report", "复制错误报告"), (made) => copy(made, issue, shown)));
  if (begun && !embed) {
    ways.append(part("a", { href: "#" }, words("All lessons", "全部课程")));
    ways.lastChild.addEventListener("click", (event) => {
      event.preventDefault();
      load(["lang"]);
    });
  }
  const sent = words(
    "Nothing has been sent. The report is the text of an issue: paste it where the people who run this page take reports. It contains the address, and with it the run or the scenario that is shown.",
    "没有发送任何信息。报告是一份 issue 正文，请粘贴给此页面的维护者。其中包含页面地址，也就包含当前的运行或场景。",
  );
  const heading = part("h1", { tabindex: "-1" }, title);
  const style = part("link", { rel: "stylesheet", href: new URL("broken.css", import.meta.url).href });
  document.head.append(style);
  document.body.replaceChildren(
    part("main", { class: "broken", role: "alert" },
      heading,
      part("p", {}, about.join(zh ? "" : " ")),
      ways,
      part("details", {}, part("summary", {}, words("What the report says", "报告内容")), part("p", {}, sent), shown)),
  );
  heading.focus();
  tellParent(title);
}
