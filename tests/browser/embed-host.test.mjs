// Embeds on the pages of hosts: the recipes of static/embed/README.md as each host emits them, the
// course page, and embed.js. The pages that turn goals into a score are in scorm.test.mjs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { onward, open, ROOT, serve } from "./harness.mjs";
import { course, inside, LISTENER } from "./host.mjs";

const FOLDER = join(ROOT, "static/embed");

test("embed.js stays under 4 KB", () => {
  const size = gzipSync(readFileSync(join(FOLDER, "embed.js")), { level: 9 }).length;
  assert.ok(size < 4096, `${size} bytes`);
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
  const parts = [...written].map(([, name]) => name).filter((name) => !["page", "present", "lang", "result"].includes(name));
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
    ["class", "nav-fixed quarto-dark", "body"],
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
  // The stage gives way, so that the sentence stands above the buttons and all is in sight.
  for (const height of [600, 660, 900]) {
    await page.setViewportSize({ width: 390, height });
    await inside(page).locator("html").evaluate(async (root, most) => {
      const box = (one) => document.querySelector(one).getBoundingClientRect();
      const fits = () => innerHeight <= most && box(".say").bottom <= box(".dock").top + 1 && box(".dock").bottom <= innerHeight + 1;
      while (!fits()) await new Promise(requestAnimationFrame);
    }, height);
  }
  for (const [height, most] of [[480, 480], [300, 320]]) {
    await page.setViewportSize({ width: 390, height });
    assert.ok(await high(0) <= most);
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

test("what a host puts behind the address is not the lesson's, as WordPress's secret", async (t) => {
  const src = `${await serve()}embed/index.html?lang=en#lesson=oversell`;
  const page = await course(t, `<iframe src="${src}#?secret=aB3dE5fG7h" sandbox="allow-scripts" width="100%" height="640"></iframe>`);
  await inside(page).locator("main.lesson").waitFor();
  await onward(inside(page));
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
