// Embeds on the pages of hosts: the recipes of static/embed/README.md as each host emits them, the
// course page, embed.js, and the pages that turn goals into a score.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test from "node:test";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { onward, open, ROOT, serve } from "./harness.mjs";
import { course, inside, LISTENER, site } from "./host.mjs";

const FOLDER = join(ROOT, "static/embed");

test("embed.js stays under 4 KB", () => {
  const size = gzipSync(readFileSync(join(FOLDER, "embed.js")), { level: 9 }).length;
  assert.ok(size < 4000, `${size} bytes`);
});

/** What an interface of the npm package's types names. */
const typed = (name) => {
  const types = readFileSync(join(ROOT, "static/npm/index.d.ts"), "utf8");
  const [, body] = types.match(new RegExp(`interface ${name}[^{]*\\{([^]*?)\n\\}`));
  return [...body.matchAll(/^ {2}(?:readonly )?"?([\w-]+)"?\??[:(]/gm)].map(([, name]) => name);
};

test("the npm package has types for all that embed.js has, and the version of the page", () => {
  const text = readFileSync(join(FOLDER, "embed.js"), "utf8");
  let Element;
  const nothing = () => nothing;
  runInNewContext(text, {
    URL, URLSearchParams, HTMLElement: class {}, MutationObserver: class {},
    addEventListener: nothing, matchMedia: () => ({ addEventListener: nothing }),
    document: {
      currentScript: { src: "https://x.example/embed/embed.js", dataset: {} },
      createElement: () => ({ getContext: nothing, style: {}, addEventListener: nothing }),
    },
    customElements: { get: nothing.call.bind(() => undefined), define: (_, made) => (Element = made) },
    location: { origin: "https://course.example" },
  });
  const asked = new Set(Element.observedAttributes);
  const element = new Element();
  Object.assign(element, {
    style: {}, textContent: "", closest: () => null, replaceChildren: nothing,
    hasAttribute: (name) => (asked.add(name), false),
    getAttribute: (name) => (asked.add(name), name === "theme" ? "light" : null),
  });
  try { element.connectedCallback(); } catch { /* it has asked for all of them */ }
  assert.deepEqual(typed("RedisLessonAttributes").sort(), [...asked].sort());
  const methods = Object.getOwnPropertyNames(Element.prototype).filter((name) => !/^constructor$|Callback$/.test(name));
  assert.deepEqual(typed("RedisLesson extends").filter((name) => name !== "frame").sort(), methods.sort());
  const events = JSON.parse(text.match(/EVENTS = (.*);/)[1]).map((name) => `lesson-${name}`);
  assert.deepEqual(typed("RedisLessonEvents"), events);
  const cargo = readFileSync(join(ROOT, "Cargo.toml"), "utf8");
  const own = JSON.parse(readFileSync(join(ROOT, "static/npm/package.json")));
  for (const name of ["version", "license"]) {
    assert.equal(own[name], cargo.match(new RegExp(`^${name} = "(.*)"`, "m"))[1]);
  }
});

// ---- Recipes -------------------------------------------------------------------------------------

/** What a host makes of a recipe. */
const EMITTED = {
  html: (text) => text,
  // React writes the style object out as an attribute.
  jsx: (text) => text.replace("style={{border: 0}} />", 'style="border:0"></iframe>'),
  hugo: (text) => text.replaceAll('{{ .Get "lesson" }}', "oversell").replaceAll("{{ .Site.Language.Lang }}", "zh"),
  address: (text) => `<iframe src="${text.trim()}" style="width:100%;height:500px"></iframe>`,
};

const readme = readFileSync(join(FOLDER, "README.md"), "utf8");
for (const section of readme.split(/^#{2,3} /m).slice(1)) {
  const name = section.split("\n")[0];
  for (const [, kind, text] of section.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)) {
    if (!EMITTED[kind] || !text.includes("lesson")) continue;
    test(`recipe: ${name} (${kind})`, async (t) => {
      const recipe = EMITTED[kind](text).replaceAll("https://interleave.example/", await serve());
      const page = await course(t, `<h1>${name}</h1>${recipe}`);
      const frame = inside(page);
      const poster = frame.locator("button.poster");
      const lesson = frame.locator("main.lesson");
      await poster.or(lesson).first().waitFor();
      if (await poster.count() > 0) {
        assert.equal(page.frames().some((frame) => frame.url().includes("?embed")), false);
        await poster.click();
      }
      await lesson.waitFor();
      await onward(frame);
      await frame.locator('main.lesson[data-step-now="1"]').waitFor();
      const sticks = await frame.locator("html").evaluate((root) => root.scrollWidth - root.clientWidth);
      assert.ok(sticks <= 0, `it sticks out by ${sticks} px`);
    });
  }
}

test("the course page: three live embeds that fit and report", async (t) => {
  const page = await open(t, "embed/course.html");
  const [first, second, third] = [0, 1, 2].map((nth) => inside(page, nth));
  await first.locator("main.lesson").waitFor();
  await page.waitForFunction(() => {
    const frame = document.querySelector("iframe");
    const root = frame.contentDocument.documentElement;
    return frame.style.height !== "640px" && root.scrollHeight <= frame.clientHeight + 1;
  });
  await second.locator("button.poster", { hasText: "Oversell" }).click();
  for (const client of ["A", "B", "A", "B"]) {
    await second.locator(`button.step[data-client="${client}"]:visible`).first().click();
  }
  await page.locator("#said", { hasText: /Broken at step \d+: A1.*score \d+ of 100/ }).waitFor();
  await page.locator("summary").click();
  await third.locator(".head h1", { hasText: "丢失更新" }).waitFor();
});

test("attributes of the element can be changed while it runs", async (t) => {
  const page = await course(t, `<script src="${await serve()}embed/embed.js"></script>
    <redis-lesson lesson="lost-update" mode="schedule" lang="en">x</redis-lesson>`);
  const frame = inside(page);
  await frame.locator("main.lesson").waitFor();
  const set = (name, value) =>
    page.locator("redis-lesson").evaluate((e, [name, value]) => e.setAttribute(name, value), [name, value]);
  await set("lang", "zh");
  await frame.locator('html[lang="zh-Hans"]').waitFor();
  await set("theme", "dark");
  await frame.locator('html[data-theme="dark"]').waitFor();
  await set("schedule", "A1.B1");
  await frame.locator(".strip .cell:not(.empty)").nth(1).waitFor();
  // A program is no message: the frame gets another address.
  await page.locator("redis-lesson").evaluate((e) => {
    e.removeAttribute("lesson");
    e.setAttribute("scenario", "broken");
  });
  await frame.locator(".banner").first().waitFor();
});

test("the element takes every part of a shared view", () => {
  const written = readFileSync(join(ROOT, "src/session/link.rs"), "utf8").matchAll(/^ +\("(\w+)", &\w/gm);
  const parts = [...written].map(([, name]) => name).filter((name) => !["page", "present", "lang"].includes(name));
  assert.ok(parts.length > 10, parts.join(" "));
  const own = new Set(typed("RedisLessonAttributes"));
  assert.deepEqual(parts.filter((name) => !own.has(name)), []);
});

test("an element has the host's theme, and follows its switch", async (t) => {
  // Behind a poster, so that each change is quick.
  const page = await course(t, `<script src="${await serve()}embed/embed.js" async></script>
    <redis-lesson lesson="lost-update" poster="1">x</redis-lesson>
    <redis-lesson lesson="lost-update" poster="1" theme="light">x</redis-lesson>
    <redis-lesson lesson="lost-update" poster="1" theme="auto">x</redis-lesson>`);
  const themes = async (...wanted) => {
    for (const [nth, theme] of wanted.entries()) {
      await inside(page, nth).locator(`html[data-theme="${theme}"]`).waitFor();
    }
  };
  await themes("light", "light", "auto");
  const set = (name, value, on = "html") => page.locator(on).evaluate((root, [name, value]) =>
    value ? root.setAttribute(name, value) : root.removeAttribute(name), [name, value]);
  for (const [name, value, on] of [
    ["class", "page dark"],
    ["data-theme", "dark"],
    ["data-bs-theme", "dark"],
    ["data-md-color-scheme", "slate", "body"],
    ["data-color-mode", "dark"],
    ["style", "color-scheme: dark"],
    // No word for it: what is seen.
    ["style", "background: oklch(0.2 0.02 250)", "body"],
    ["style", "background: linear-gradient(#111, #000); color: #eee", "body"],
    ["style", "background: #111; transition: background 0.1s", "body"],
  ]) {
    await set(name, value, on);
    await themes("dark", "light", "auto").catch((error) => { throw new Error(`${name}=${value}`, { cause: error }); });
    await set(name, undefined, on);
    await themes("light", "light", "auto");
  }
  // A host that is as the system: its switch is that of the system.
  await set("style", "color-scheme: light dark");
  await page.emulateMedia({ colorScheme: "dark" });
  await themes("dark", "light", "auto");
  // The lesson itself begins as its door was, and follows.
  const frame = inside(page);
  await frame.locator("button.poster").click();
  await frame.locator("main.lesson").waitFor();
  await themes("dark");
  await set("data-theme", "light");
  await set("style", "color-scheme: light");
  await themes("light");
});

test("an element is no higher than the host's window, unless it says auto", async (t) => {
  const one = (rest) => `<redis-lesson lesson="lost-update" ${rest}>x</redis-lesson>`;
  const page = await course(t, `<script src="${await serve()}embed/embed.js" async></script>
    ${one("")}${one('mode="review" height="auto"')}${one('height="900"')}`, { size: { width: 390, height: 600 } });
  const high = (nth) => page.locator("iframe").nth(nth).evaluate((frame) => frame.clientHeight);
  const told = (nth) => page.waitForFunction((nth) => {
    const frame = document.querySelectorAll("iframe")[nth];
    return Number.parseFloat(frame.style.height) > 640;
  }, nth);
  await inside(page).locator("main.lesson").waitFor();
  await told(0);
  assert.equal(await high(0), 600);
  for (const [height, seen] of [[480, 480], [300, 320], [700, 700]]) {
    await page.setViewportSize({ width: 390, height });
    assert.equal(await high(0), seen);
  }
  // The buttons are in sight, and all of it can be reached.
  const step = await inside(page).locator(".dock .step").first()
    .evaluate((button) => innerHeight - button.getBoundingClientRect().bottom);
  assert.ok(step >= 0, `the button is ${-step} px below the frame`);
  const left = await inside(page).locator("html").evaluate((root) => {
    root.scrollTo(0, root.scrollHeight);
    return root.scrollHeight - root.clientHeight - root.scrollTop;
  });
  assert.ok(left <= 1, `${left} px cannot be reached`);
  await page.locator("redis-lesson").nth(1).scrollIntoViewIfNeeded();
  await inside(page, 1).locator("main.review").waitFor();
  await told(1);
  assert.ok(await high(1) > 700);
  assert.equal(await high(2), 900);
});

test("the script's tag alone is an element, where it stands; other languages are as none", async (t) => {
  const script = `src="${await serve()}embed/embed.js" data-poster="1"`;
  const page = await course(t, `<section><script ${script} data-lesson="oversell" async></script><p>…</p></section>
    <section lang="de"><script ${script} data-lesson="watch" data-tabs="watch" async></script></section>
    <section lang="de"><script ${script} data-lesson="watch" data-lang="zh-CN" async></script></section>
    <section lang="en"><redis-lesson lesson="watch" lang="de" poster="1">x</redis-lesson></section>`);
  for (const nth of [0, 1, 2, 3]) await inside(page, nth).locator("button.poster").waitFor();
  const asked = await page.locator("section > :is(script + redis-lesson, redis-lesson:only-child) > iframe")
    .evaluateAll((all) => all.map(({ src }) => new URL(src)).map((url) =>
      [url.hash, ...["lang", "tabs", "poster"].map((name) => url.searchParams.get(name))].join(" ")));
  assert.deepEqual(asked, [
    "#lesson=oversell   1", "#lesson=watch  watch 1", "#lesson=watch zh-CN  1", "#lesson=watch   1",
  ]);
});

// ---- A grade -------------------------------------------------------------------------------------

/** A package as `check scorm` writes it, taken apart: the files by name. */
function unpacked(t, kind, options) {
  const out = mkdtempSync(join(tmpdir(), "interleave-scorm-"));
  t.after(() => rmSync(out, { recursive: true }));
  const target = process.env.CARGO_TARGET_DIR ?? join(ROOT, "target");
  execFileSync(resolve(ROOT, target, "debug/check"), ["scorm", "--lesson", "lost-update", ...options, out], { cwd: ROOT });
  const bytes = readFileSync(join(out, `lost-update-${kind}.zip`));
  const files = {};
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50;) {
    const [size, name, extra] = [bytes.readUInt32LE(at + 18), bytes.readUInt16LE(at + 26), bytes.readUInt16LE(at + 28)];
    const from = at + 30 + name + extra;
    files[bytes.toString("utf8", at + 30, at + 30 + name)] = bytes.subarray(from, from + size);
    at = from + size;
  }
  return files;
}

const TYPES = { html: "text/html", js: "text/javascript", css: "text/css", json: "application/json",
  wasm: "application/wasm", xml: "text/xml" };

/** The same as pages of a site. */
const pagesOf = (files) => Object.fromEntries(Object.entries(files).map(([path, body]) =>
  [path, { type: TYPES[path.split(".").at(-1)] ?? "text/plain", body }]));

async function breakIt(frame) {
  for (const client of ["A", "B", "A", "B"]) {
    await frame.locator(`button.step[data-client="${client}"]:visible`).first().click();
  }
}

for (const whole of [false, true]) {
  test(`SCORM 1.2: goals become a score, ${whole ? "from the package alone" : "the page loaded from elsewhere"}`, async (t) => {
    const files = unpacked(t, "scorm12", ["--query", "tabs=break", ...(whole ? [] : ["--base", await serve()])]);
    assert.match(files["imsmanifest.xml"].toString(), /adlcp:scormtype="sco" href="embed\/scorm.html"/);
    assert.equal("index.html" in files, whole);
    // As a platform does it: the package in a frame, the API in the window around it.
    const url = await site(t, {
      ...pagesOf(files),
      "course.html": `<!doctype html><title>lms</title><body>course<script>
        window.set = { "cmi.student_data.mastery_score": "80" };
        window.calls = [];
        window.API = {
          LMSInitialize: () => (calls.push("begin"), "true"),
          LMSGetValue: (name) => set[name] ?? "",
          LMSSetValue: (name, value) => ((set[name] = value), "true"),
          LMSCommit: () => (calls.push("commit"), "true"),
          LMSFinish: () => (calls.push("finish"), "true"),
        };
      </script><iframe src="embed/scorm.html" width="1000" height="800"></iframe>`,
    });
    const page = await open(t, `${url}course.html`);
    const lesson = inside(page).frameLocator("iframe");
    await lesson.locator("main.lesson").waitFor();
    assert.equal(await page.evaluate(() => set["cmi.core.lesson_status"]), "incomplete");
    await breakIt(lesson);
    await page.waitForFunction(() => set["cmi.core.lesson_status"] === "passed");
    assert.equal(await page.evaluate(() => set["cmi.core.score.raw"]), "100");
    await page.evaluate(() => document.querySelector("iframe").remove());
    await page.waitForFunction(() => calls.includes("finish"));
    assert.match(await page.evaluate(() => set["cmi.core.session_time"]), /^\d{4}:\d\d:\d\d$/);
  });
}

test("xAPI: statements with the score go to the store that the launch names", async (t) => {
  const files = unpacked(t, "xapi", ["--query", "tabs=break", "--base", await serve()]);
  assert.match(files["tincan.xml"].toString(), /<launch lang="en">embed\/xapi.html</);
  const statements = [];
  const verb = (statement) => statement.verb.id.split("/").at(-1);
  let passed;
  const told = new Promise((done) => (passed = done));
  const pages = {
    ...pagesOf(files),
    "lrs/statements": (asked, response, body) => {
      statements.push({ ...JSON.parse(body), auth: asked.headers.authorization });
      response.writeHead(200, { "content-type": "application/json" }).end("[]");
      if (verb(statements.at(-1)) === "passed") passed();
    },
  };
  const url = await site(t, pages);
  const launch = new URLSearchParams({
    endpoint: `${url}lrs/`, auth: "Basic abc", activity_id: "https://x.example/a",
    actor: JSON.stringify({ name: ["L"], mbox: ["mailto:l@x.example"] }),
  });
  pages["course.html"] = `<!doctype html><title>lms</title><body>course
    <iframe src="embed/xapi.html?${launch}" width="1000" height="800"></iframe>`;
  const page = await open(t, `${url}course.html`);
  const lesson = inside(page).frameLocator("iframe");
  await lesson.locator("main.lesson").waitFor();
  await breakIt(lesson);
  await told;
  assert.equal(verb(statements[0]), "initialized");
  const last = statements.at(-1);
  assert.deepEqual([last.result.score.raw, last.result.completion, last.auth], [100, true, "Basic abc"]);
  assert.deepEqual([last.actor.mbox, last.object.id], ["mailto:l@x.example", "https://x.example/a"]);
  const secret = page.frames().filter((frame) => frame.url().includes("auth="));
  assert.equal(secret.length, 1, "the launch's secret goes no further");
});

test("without a platform the score pages say so, and the lesson runs", async (t) => {
  for (const kind of ["scorm", "xapi"]) {
    const page = await open(t, `embed/${kind}.html?tabs=watch#lesson=lost-update`);
    await page.locator("#note", { hasText: "nothing is recorded" }).waitFor();
    await inside(page).locator("main.lesson").waitFor();
  }
});

test("what is not the lesson cannot send a score", async (t) => {
  const page = await open(t, "embed/scorm.html?tabs=watch#lesson=lost-update");
  await inside(page).locator("main.lesson").waitFor();
  await page.evaluate(() => {
    window.got = [];
    window.API = { LMSSetValue: (...pair) => got.push(pair), LMSGetValue: () => "", LMSCommit: () => "" };
    // A listener that was there before hears it first.
    const heard = new Promise((done) => addEventListener("message", () => done(), { once: true }));
    postMessage({ ns: "interleave", v: 1, type: "goal", score: 100, complete: true }, "*");
    return heard;
  });
  assert.deepEqual(await page.evaluate(() => got), []);
});

test("a page without an origin around it is served as well", async (t) => {
  const body = `${LISTENER}<iframe src="${await serve()}embed/index.html#lesson=lost-update" width="100%" height="500"></iframe>`;
  const page = await course(t, `<iframe title="host" sandbox="allow-scripts" width="100%" height="600"
    srcdoc="${body.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"></iframe>`);
  const host = inside(page);
  await host.frameLocator("iframe").locator("main.lesson").waitFor();
  const inner = page.frames().find((frame) => frame.url() === "about:srcdoc");
  const answer = await inner.evaluate(() => window.say("hello"));
  assert.equal(answer.ok, true);
  await onward(host.frameLocator("iframe"));
  await inner.waitForFunction(() => window.heard.some((message) => message.type === "step"));
});
