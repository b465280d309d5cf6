// What is left when something fails: the page's own program, a draft that stops it, another tab, the
// storage, the checker. Nothing that was typed is lost, and there is always a way on.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { copies, drawn, open, openUnchecked, ROOT, saved, serve, shown, whole } from "./harness.mjs";
import { course, frameHtml, heard, inside } from "./host.mjs";

const area = (page) => page.locator(".own .editor textarea");
const fine = (page) => page.locator('main.own[data-mistakes="0"]');
const offer = (page, id) => page.locator(`.offer[data-offer="${id}"]`);
const way = (page, id) => page.locator(`[data-way="${id}"]`);
const broken = (page, id) => page.locator(`main.broken [data-broken="${id}"]`);
const get = (page, name) => page.evaluate((name) => localStorage.getItem(`interleave.${name}`), name);
const set = (page, name, text) =>
  page.evaluate(([name, text]) => localStorage.setItem(`interleave.${name}`, text), [name, text]);
const PROGRAM = `redis.call("INCR", "kept")\n`;

/** Keeps hold of the page's program, so that a test can end it; `where` may be a page or a frame. */
const holds = (page) =>
  page.addInitScript(() => {
    window.memories = [];
    const keep = (instance) => {
      for (const one of Object.values(instance.exports)) {
        if (one instanceof WebAssembly.Memory) window.memories.push(one);
      }
    };
    for (const name of ["instantiate", "instantiateStreaming"]) {
      const real = WebAssembly[name];
      WebAssembly[name] = async (...all) => {
        const made = await real.apply(WebAssembly, all);
        keep(made.instance ?? made);
        return made;
      };
    }
  });

/**
 * Writes over all that the program knows, so that it ends in a trap when it is called next: by a
 * press of `selector`, in the same task, or a timer of the page may come first and take the button
 * away.
 */
const trap = (where, selector) =>
  where.locator(selector).evaluate((button) => {
    for (const memory of window.memories) new Uint8Array(memory.buffer).fill(0xff);
    button.click();
  });

/** What a program says when it ends, or what is said of it. */
const DIES = /RuntimeError|panicked|unreachable|memory access|wasm-function|broken from outside/;

/** A page whose program can be ended; what it complains of then is no news. */
async function mortal(t, address, options = {}) {
  const before = async (page) => {
    await holds(page);
    await copies(page);
  };
  const page = await open(t, address, { before, ...options });
  page.expect(DIES);
  return page;
}

// ---- The page's program ends ---------------------------------------------------------------------

test("a trap in a lesson leaves words, and ways on that work", async (t) => {
  const options = { permissions: ["clipboard-read", "clipboard-write"] };
  const page = await mortal(t, "#lesson=lost-update&mode=schedule&lang=en&schedule=A1.B1", options);
  await page.locator('main.lesson[data-step-now="2"]').waitFor();
  await trap(page, '[data-client="A"]');
  await page.getByRole("heading", { name: "The page has stopped" }).waitFor();
  assert.equal(await page.locator(":focus").innerText(), "The page has stopped");
  await broken(page, "report").click();
  await page.locator('[data-broken="report"]', { hasText: "Copied" }).waitFor();
  const report = await page.evaluate(() => window.copied);
  assert.match(report, /schedule=A1\.B1/, "where it was");
  assert.match(report, /RuntimeError/, "what was thrown");
  assert.match(report, /program: app-\w+\.js/, "of which build");
  await page.locator("summary").click();
  assert.equal(await page.locator("main.broken pre").innerText(), report.trimEnd() + "\n");
  // The run may be what ended it.
  await broken(page, "on").click();
  await page.locator('main.lesson[data-step-now="0"]').waitFor();
  assert.doesNotMatch(await page.evaluate(() => location.hash), /schedule=/);
});

test("loaded again, the page shows what it showed", async (t) => {
  const page = await mortal(t, "#lesson=lost-update&mode=schedule&lang=zh&schedule=A1.B1");
  await page.locator('main.lesson[data-step-now="2"]').waitFor();
  await trap(page, '[data-client="A"]');
  await page.getByRole("heading", { name: "页面已停止运行" }).waitFor();
  await broken(page, "again").click();
  await page.locator('main.lesson[data-step-now="2"]').waitFor();
});

test("an error of the browser that passes through the program ends it, too", async (t) => {
  const calm = "a film sets attributes first, and bears a refusal";
  const page = await mortal(t, "#lesson=lost-update&mode=schedule&lang=en", { calm });
  await page.locator('main.lesson[data-step-now="0"]').waitFor();
  // The loader sets attributes, too, while the second part of the program comes.
  await whole(page);
  await page.evaluate(() => {
    const real = Element.prototype.setAttribute;
    Element.prototype.setAttribute = () => {
      Element.prototype.setAttribute = real;
      throw new Error("broken from outside");
    };
    // At once: on a busy machine something else may set an attribute before a press from outside comes.
    document.querySelector('[data-client="A"]').click();
  });
  await page.getByRole("heading", { name: "The page has stopped" }).waitFor();
  assert.match(await page.locator("main.broken pre").textContent(), /broken from outside/);
});

test("an error that is none of the program's changes nothing", async (t) => {
  const page = await mortal(t, "#lesson=lost-update&lang=en");
  await page.locator("main.lesson").waitFor();
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.evaluate(async () => {
    const both = ["error", "unhandledrejection"].map((type) => new Promise((done) => addEventListener(type, done)));
    setTimeout(() => {
      throw new Error("broken from outside");
    });
    Promise.reject(new Error("broken from outside"));
    await Promise.all(both);
  });
  await drawn(page);
  assert.deepEqual(asked.filter((url) => url.includes("broken")), [], "the page that says so is not even asked for");
  assert.equal(await page.locator("main.broken").count(), 0);
});

test("a program that does not come leaves no page that loads for ever", async (t) => {
  const page = await openUnchecked("", {}).then(async (page) => {
    t.after(() => page.context().close());
    return page;
  });
  await page.route("**/*.wasm", (route) => route.abort());
  await page.goto(`${await serve()}?again#lesson=lost-update&lang=en`);
  await page.getByRole("heading", { name: "The page could not start" }).waitFor();
  await page.unroute("**/*.wasm");
  await broken(page, "again").click();
  await page.locator("main.lesson").waitFor();
});

test("in a course page the frame says it, and the course page hears of it", async (t) => {
  const address = `${await serve()}index.html?embed&lang=en#lesson=lost-update&mode=schedule`;
  const page = await course(t, frameHtml(address), { before: holds });
  page.expect?.(DIES);
  await heard(page, "ready");
  const frame = inside(page);
  await frame.locator("main.lesson").waitFor();
  await trap(frame, '[data-client="A"]');
  await frame.getByRole("heading", { name: "The page has stopped" }).waitFor();
  const { message } = await heard(page, "error");
  assert.equal(message, "The page has stopped");
  assert.equal(await frame.locator("main.broken a").count(), 0, "nothing leads out of the lesson");
  await frame.locator('[data-broken="again"]').click();
  await frame.locator("main.lesson").waitFor();
});

// ---- A draft that stops the page -----------------------------------------------------------------

test("a draft that was open when the page stopped is offered, not run", async (t) => {
  const page = await mortal(t, "#page=playground&lang=en");
  await area(page).fill(PROGRAM);
  await fine(page).waitFor();
  await page.waitForFunction(() => location.hash.includes("scenario="));
  await trap(page, '[data-own="undo"]');
  await page.getByRole("heading", { name: "The page has stopped" }).waitFor();
  const file = await saved(page, () => broken(page, "save").click());
  assert.equal(file.name, "interleave-draft.json");
  assert.equal(JSON.parse(file.bytes.toString()).programs[0].text, PROGRAM);
  await broken(page, "on").click();
  await offer(page, "stopped").waitFor();
  assert.notEqual(await area(page).inputValue(), PROGRAM);
  // The offer stands until something is decided, whatever the address says.
  await page.reload();
  await offer(page, "stopped").waitFor();
  const copy = await saved(page, () => way(page, "save").click());
  assert.equal(JSON.parse(copy.bytes.toString()).programs[0].text, PROGRAM);
  await way(page, "open").click();
  await page.waitForFunction((text) => document.querySelector(".own .editor textarea")?.value === text, PROGRAM);
  await fine(page).waitFor();
  // It was drawn this time: it is a draft like any other.
  await page.waitForFunction(() => localStorage.getItem("interleave.loading.own.draft") === null);
  await page.reload();
  await page.waitForFunction((text) => document.querySelector(".own .editor textarea")?.value === text, PROGRAM);
  assert.equal(await page.locator(".offer").count(), 0);
});

test("a draft that the last load did not survive: its text alone, and away with it", async (t) => {
  const page = await open(t, "#page=playground&lang=en");
  await area(page).fill(PROGRAM);
  await page.waitForFunction(() => location.hash.includes("scenario="));
  const address = await page.evaluate(() => location.hash);
  // What a tab leaves that was closed while it hung, or was ended by the browser.
  await set(page, "loading.own.draft", "1");
  await page.reload();
  await shown(page);
  await offer(page, "stopped").waitFor();
  // Nor does the same link run it.
  await page.evaluate((address) => (location.hash = address), address);
  await page.waitForFunction(() => !location.hash.includes("scenario="));
  assert.notEqual(await area(page).inputValue(), PROGRAM);
  await way(page, "text").click();
  await offer(page, "unrun").waitFor();
  assert.equal(await area(page).inputValue(), PROGRAM);
  assert.equal(await get(page, "loading.own.draft"), "1", "still to be offered");
  await area(page).fill(`${PROGRAM}-- mended\n`);
  await way(page, "run").click();
  await fine(page).waitFor();
  assert.equal(await page.locator(".offer").count(), 0);
  await page.waitForFunction(() => localStorage.getItem("interleave.loading.own.draft") === null);
  await set(page, "loading.own.draft", "1");
  await page.reload();
  await way(page, "discard").click();
  await way(page, "discard-sure").click();
  await page.waitForFunction(() => !document.querySelector(".offer"));
  assert.equal(await get(page, "own.draft"), null);
  assert.equal(await get(page, "loading.own.draft"), null);
});

test("a link that stops the page leaves what was written before it", async (t) => {
  const scenario = (page) => page.waitForFunction(() => /scenario=[^&]+/.exec(location.hash)?.[0]).then((it) => it.jsonValue());
  const other = await open(t, "#page=playground&lang=en");
  await area(other).fill("-- another's\n");
  const link = await scenario(other);
  const page = await open(t, "#page=playground&lang=en");
  await area(page).fill(PROGRAM);
  await scenario(page);
  await page.evaluate((link) => (location.hash = `page=playground&${link}`), link);
  await page.waitForFunction(() => document.querySelector(".own .editor textarea")?.value.includes("another's"));
  await set(page, "loading.own.draft", "1");
  await page.reload();
  await offer(page, "stopped").waitFor();
  assert.equal(await area(page).inputValue(), PROGRAM);
  await way(page, "discard").click();
  await way(page, "discard-sure").click();
  await page.reload();
  await shown(page);
  assert.equal(await area(page).inputValue(), PROGRAM);
  assert.equal(await page.locator(".offer").count(), 0);
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).filter((name) => /before|loading/.test(name))), []);
});

test("so is a lesson's own program", async (t) => {
  const page = await open(t, "#lesson=lost-update&mode=fix&lang=en");
  const text = page.locator(".fix .editor textarea");
  await text.fill(PROGRAM);
  await page.locator('[data-fix="step"]').click();
  await page.locator('main.lesson[data-step-now="0"]').waitFor();
  const address = await page.evaluate(() => location.hash);
  assert.match(address, /variant=yours/);
  await page.waitForFunction(() => localStorage.getItem("interleave.loading.draft.lost-update") === null);
  await set(page, "loading.draft.lost-update", "1");
  await page.reload();
  await offer(page, "stopped").waitFor();
  assert.notEqual(await text.inputValue(), PROGRAM, "in Fix it, with the starting program");
  await way(page, "open").click();
  await page.waitForFunction((text) => document.querySelector(".fix textarea").value === text, PROGRAM);
  assert.equal(await page.locator(".offer").count(), 0);
});

// ---- Tabs ----------------------------------------------------------------------------------------

for (const [what, address, editor, name] of [
  ["the playground", "#page=playground&lang=en", ".own .editor textarea", "own.draft"],
  ["an exercise", "#lesson=lost-update&mode=fix&lang=en", ".fix .editor textarea", "draft.lost-update"],
]) {
  test(`two tabs that write in turn keep a draft each: ${what}`, async (t) => {
    const a = await open(t, address);
    const b = await a.context().newPage();
    await b.goto(a.url());
    const field = (page) => page.locator(editor);
    // One that opens later finds what the other one wrote, and goes on with it.
    await field(b).waitFor();
    // A process of the browser hears late of what another one stores: by then it has been told, as a reader's would be.
    const writes = async (page, text, other) => {
      await field(page).fill(text);
      await other.waitForFunction((text) => Object.values(localStorage).some((it) => it.includes(text)), text);
    };
    await writes(a, "-- A1", b);
    await writes(b, "-- B1", a);
    await writes(a, "-- A2", b);
    await writes(b, "-- B2", a);
    // The one that came second says what it has seen; it keeps what is its own when it is loaded again.
    await offer(b, "other").waitFor();
    await b.reload();
    await field(b).waitFor();
    assert.equal(await field(b).inputValue(), "-- B2");
    await a.reload();
    await field(a).waitFor();
    assert.equal(await field(a).inputValue(), "-- A2");
    assert.ok((await get(a, name)).includes("-- A2"));
    assert.ok((await get(a, `${name}.1`)).includes("-- B2"));
    await a.close();
    await b.close();
    // Afterwards both are there.
    const c = await a.context().newPage();
    await c.goto(`${await serve()}${address}`);
    await field(c).waitFor();
    assert.equal(await field(c).inputValue(), "-- A2");
    await way(c, "open").click();
    await c.waitForFunction((editor) => document.querySelector(editor).value === "-- B2", editor);
    await offer(c, "other").waitFor();
    await way(c, "open").click();
    await c.waitForFunction((editor) => document.querySelector(editor).value === "-- A2", editor);
  });
}

// ---- Storage -------------------------------------------------------------------------------------

const REFUSALS = {
  "is full": () => {
    Storage.prototype.setItem = () => {
      window.refused = (window.refused ?? 0) + 1;
      throw new DOMException("full", "QuotaExceededError");
    };
  },
  "is refused": () =>
    Object.defineProperty(window, "localStorage", {
      get() {
        window.refused = (window.refused ?? 0) + 1;
        throw new DOMException("refused", "SecurityError");
      },
    }),
  "is not there": () =>
    Object.defineProperty(window, "localStorage", {
      get() {
        window.refused = (window.refused ?? 0) + 1;
        return null;
      },
    }),
};

for (const [how, refuse] of Object.entries(REFUSALS)) {
  test(`storage that ${how} is said once, and a file is offered`, async (t) => {
    const page = await open(t, "#page=playground&lang=en", { before: (page) => page.addInitScript(refuse) });
    assert.equal(await page.locator(".offer").count(), 0, "nothing was typed yet");
    await area(page).fill(PROGRAM);
    await offer(page, "unkept").waitFor();
    const file = await saved(page, () => way(page, "save").click());
    assert.equal(JSON.parse(file.bytes.toString()).programs[0].text, PROGRAM);
    await way(page, "later").click();
    const refused = await page.evaluate(() => window.refused);
    await area(page).fill(`${PROGRAM}-- more\n`);
    await page.waitForFunction((refused) => window.refused > refused, refused);
    await drawn(page);
    assert.equal(await page.locator(".offer").count(), 0, "once");
    // The browser asks before it throws the text away.
    const asked = page.waitForEvent("dialog").then((dialog) => (dialog.accept(), dialog.type()));
    await page.close({ runBeforeUnload: true });
    assert.equal(await asked, "beforeunload");
  });
}

test("a full storage gives up what can be undone before it gives up the draft", async (t) => {
  const page = await open(t, "#page=playground&lang=en");
  await area(page).fill(`-- ${"x".repeat(9_000)}\n`);
  await page.waitForFunction(() => (localStorage.getItem("interleave.own.past") ?? "").length > 100);
  await area(page).fill(`-- ${"y".repeat(9_000)}\n`);
  await page.waitForFunction(() => (localStorage.getItem("interleave.own.past") ?? "").length > 9_000);
  await page.evaluate(() => {
    for (let size = 1 << 20; size >= 1; size >>= 1) {
      try {
        for (;;) localStorage.setItem(`filler${size}${Math.random()}`, "z".repeat(size));
      } catch {
        // Smaller pieces may have room.
      }
    }
  });
  await area(page).fill(`-- ${"y".repeat(9_000)}, and more than there is room for\n`);
  await page.waitForFunction(() => localStorage.getItem("interleave.own.draft").includes("more than there is room for"));
  assert.equal(await page.locator(".offer").count(), 0);
});

test("without storage, what was typed can be saved even when the page has stopped", async (t) => {
  const page = await open(t, "#page=playground&lang=en", {
    before: async (page) => {
      await holds(page);
      await page.addInitScript(REFUSALS["is full"]);
    },
  });
  page.expect(DIES);
  await area(page).fill(PROGRAM);
  await offer(page, "unkept").waitFor();
  await trap(page, '[data-own="undo"]');
  await page.locator("main.broken p", { hasText: "save a copy before you go on" }).waitFor();
  const file = await saved(page, () => broken(page, "save").click());
  assert.equal(JSON.parse(file.bytes.toString()).programs[0].text, PROGRAM);
});

// ---- The checker ---------------------------------------------------------------------------------

const HOLDS_MEMORY = `
  const real = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (...all) => {
    const made = await real.apply(WebAssembly, all);
    self.checker = Object.values(made.instance.exports).find((one) => one instanceof WebAssembly.Memory);
    return made;
  };
`;
const REFUSE_WORKERS = () => {
  window.Worker = function () {
    throw new DOMException("refused", "SecurityError");
  };
};

for (const where of ["in its worker", "on the page, which gets no worker"]) {
  test(`a checker that ends ${where} says so, and the next question starts a new one`, async (t) => {
    const beside = where === "in its worker";
    const page = await mortal(t, "#lesson=lost-update&variant=naive&mode=find&lang=en", {
      async before(page) {
        if (!beside) await page.addInitScript(REFUSE_WORKERS);
        await page.route("**/search-*.js", async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, body: HOLDS_MEMORY + (await response.text()) });
        });
      },
    });
    const answered = page.locator(".find button", { hasText: "Search again" });
    const broken = page.locator("[data-question]", { hasText: "breaks" }).first();
    const banner = page.locator(".find .banner", { hasText: "The checker ended in an error of its own" });
    await page.keyboard.press("s");
    await broken.waitFor();
    await answered.waitFor();
    // A search that still runs would end here, and the next press begin another.
    await page.locator('main.find[data-running="false"]').waitFor();
    const checker = beside ? page.workers().at(-1) : page;
    await checker.evaluate(() => new Uint8Array(self.checker.buffer).fill(0xff));
    await page.keyboard.press("s");
    await banner.waitFor();
    assert.equal(await page.locator("main.broken").count(), 0, "the page itself lives");
    await page.keyboard.press("s");
    await broken.waitFor();
    assert.equal(await banner.count(), 0);
  });
}

// ---- Trusted Types -------------------------------------------------------------------------------

test("no text becomes code: Trusted Types are enforced, and the page needs none", async (t) => {
  const policies = [...readFileSync(join(ROOT, "dist/_headers"), "utf8").matchAll(/Content-Security-Policy: (.*)/g)];
  assert.equal(new Set(policies.map((one) => one[1])).size, 1, "one policy at both addresses");
  const answer = await fetch(await serve());
  assert.equal(answer.headers.get("content-security-policy"), policies[0][1]);
  const page = await open(t, "#lesson=lost-update&variant=naive&mode=find&lang=en");
  page.expect(/TrustedHTML|TrustedScript|violates the following Content Security [Pp]olicy/);
  const thrown = await page.evaluate(() => {
    const tries = {
      html: () => (document.createElement("div").innerHTML = "<b>x</b>"),
      script: () => (document.createElement("script").src = "./x.js"),
      worker: () => new Worker("./x.js"),
      policy: () => trustedTypes.createPolicy("another", {}),
      twice: () => trustedTypes.createPolicy("interleave", {}),
    };
    return Object.entries(tries).map(([name, attempt]) => {
      try {
        attempt();
        return `${name}: allowed`;
      } catch (error) {
        return `${name}: ${error.name}`;
      }
    });
  });
  assert.deepEqual(thrown, ["html", "script", "worker", "policy", "twice"].map((name) => `${name}: TypeError`));
  // The checker's worker is the one sink that is needed.
  await page.keyboard.press("s");
  await page.locator('[data-question]', { hasText: "breaks" }).first().waitFor();
});
