// Packages for course platforms: SCORM 1.2 in a real player (scorm-again), xAPI before a store that
// writes down what it hears.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test from "node:test";
import { inflateRawSync } from "node:zlib";
import { onward, open, part, ROOT, serve } from "./harness.mjs";
import { inside, site } from "./host.mjs";

const PLAYER = readFileSync(createRequire(import.meta.url).resolve("scorm-again/scorm12/min"));

/** A package as `check scorm` writes it, taken apart: the files by name. */
function unpacked(t, name, options) {
  const out = mkdtempSync(join(tmpdir(), "interleave-scorm-"));
  t.after(() => rmSync(out, { recursive: true }));
  const target = process.env.CARGO_TARGET_DIR ?? join(ROOT, "target");
  execFileSync(resolve(ROOT, target, "debug/check"), ["scorm", ...options, out], { cwd: ROOT });
  const bytes = readFileSync(join(out, `${name}.zip`));
  const files = {};
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50;) {
    const [size, name, extra] = [bytes.readUInt32LE(at + 18), bytes.readUInt16LE(at + 26), bytes.readUInt16LE(at + 28)];
    const from = at + 30 + name + extra;
    const content = bytes.subarray(from, from + size);
    const isPacked = bytes.readUInt16LE(at + 8) === 8;
    files[bytes.toString("utf8", at + 30, at + 30 + name)] = isPacked ? inflateRawSync(content) : content;
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

// ---- SCORM 1.2 -----------------------------------------------------------------------------------

/**
 * A platform: a site with the package, and a player that keeps what is committed. `play(item)` launches an item
 * of the manifest for a visitor who has nothing but what the platform kept: { page, lesson }. `kept` has it, by item;
 * `until` waits for commits until they have made something true.
 */
async function platform(t, files) {
  const kept = {};
  const waiting = [];
  const manifest = files["imsmanifest.xml"].toString();
  const committed = (asked, response, body) => {
    const item = new URL(asked.url, "http://x").searchParams.get("item");
    kept[item] = JSON.parse(body).cmi;
    for (const heard of waiting.splice(0)) heard();
    response.writeHead(200, { "content-type": "application/json" }).end('{"result":true,"errorCode":0}');
  };
  const pages = { ...pagesOf(files), commit: committed, "player.js": { type: "text/javascript", body: PLAYER } };
  const url = await site(t, pages);
  const play = async (item) => {
    const [, resource] = manifest.match(new RegExp(`<item identifier="${item}" identifierref="([^"]+)"`));
    const [, href] = manifest.match(new RegExp(`<resource identifier="${resource}"[^>]* href="([^"]+)"`));
    const { core = {}, ...rest } = kept[item] ?? {};
    // What a platform gives at the start: of the core, its own and what the lesson set that can be read.
    const { exit, session_time: _, ...before } = core;
    const start = { ...rest, student_data: { mastery_score: "80" },
      core: { ...before, entry: exit === "suspend" ? "resume" : kept[item] ? "" : "ab-initio" } };
    pages["course.html"] = `<!doctype html><title>platform</title><body>course<script src="player.js"></script><script>
      window.API = new Scorm12API({ lmsCommitUrl: "commit?item=${item}" });
      API.loadFromJSON(${JSON.stringify(start)});
    </script><iframe src="${href}" width="1000" height="800"></iframe>`;
    const page = await open(t, `${url}course.html`);
    const lesson = inside(page).frameLocator("iframe");
    await lesson.locator("main.lesson, main.review").first().waitFor();
    return { page, lesson };
  };
  const until = async (holds) => {
    while (!holds()) await new Promise((heard) => waiting.push(heard));
  };
  return { play, kept, until };
}

/** The interactions by id, in one line each. */
const interactions = (cmi) => Object.fromEntries(Object.values(cmi.interactions ?? {}).map(
  ({ id, type, student_response, result }) => [id, [type, student_response, result].filter(Boolean).join(" ")]));

for (const whole of [false, true]) {
  test(`SCORM 1.2: another device goes on, ${whole ? "from the package alone" : "the page loaded from elsewhere"}`, async (t) => {
    const files = unpacked(t, "lost-update-scorm12", ["--lesson", "lost-update", "--query", "tabs=watch,break,review",
      ...(whole ? [] : ["--base", await serve()])]);
    assert.equal("index.html" in files, whole);
    const { play, kept, until } = await platform(t, files);
    const item = "item-lost-update";
    const choose = (lesson, quiz, choice) => lesson.locator(`[data-quiz="${quiz}"] .choice`).nth(choice).click();
    const right = (lesson, quiz) => lesson.locator(`[data-quiz="${quiz}"] .told .ok`);
    {
      const { page, lesson } = await play(item);
      const at = (step) => lesson.locator(`main.lesson[data-step-now="${step}"]`).waitFor();
      for (const step of [1, 2, 3]) {
        await onward(lesson);
        await at(step);
      }
      await lesson.locator(".ask button", { hasText: "20" }).click();
      await lesson.locator(".ask button", { hasText: "Step B and see" }).click();
      await at(4);
      await part(lesson, "review");
      await choose(lesson, "last", 1);
      await right(lesson, "last").waitFor();
      await choose(lesson, "both-read", 0);
      await until(() => interactions(kept[item] ?? {}).review_both_read);
      // The learner leaves.
      await page.goto("about:blank");
    }
    await until(() => kept[item].core.exit === "suspend" && kept[item].core.session_time !== "");
    const first = kept[item];
    assert.equal(first.core.lesson_status, "incomplete");
    const score = Number(first.core.score.raw);
    assert.equal(score, Math.floor((100 + 0 + 33) / 3));
    assert.ok(first.suspend_data.length > 0 && first.suspend_data.length <= 4096);
    assert.deepEqual(interactions(first), {
      goal_watch: "performance correct", watch_lost: "choice b correct",
      review_last: "choice b correct", review_both_read: "choice a wrong",
    });

    const { lesson } = await play(item);
    await lesson.locator('.modes [data-mode="watch"] i').waitFor({ state: "attached" });
    await part(lesson, "review");
    await right(lesson, "last").waitFor();
    assert.equal(Number(kept[item].core.score.raw), score);
    await lesson.locator('[data-quiz="both-read"]').getByText("Answer again").click();
    await choose(lesson, "both-read", 1);
    await choose(lesson, "reply", 3);
    await right(lesson, "reply").waitFor();
    await part(lesson, "break");
    await breakIt(lesson);
    await until(() => kept[item].core.lesson_status === "passed");
    assert.deepEqual([kept[item].core.score.raw, kept[item].core.exit].map(String), ["100", ""]);
    const ids = Object.values(kept[item].interactions).map(({ id }) => id).sort();
    assert.deepEqual(ids, ["goal_break", "goal_review", "goal_watch", "review_both_read", "review_last", "review_reply",
      "watch_lost"]);
  });
}

test("SCORM 1.2: a chapter is one package, and each part starts its lesson", async (t) => {
  const files = unpacked(t, "chapter-race-scorm12", ["--chapter", "race", "--lang", "zh"]);
  const lessons = Object.keys(files).filter((path) => path.startsWith("lessons/"));
  assert.equal(lessons.length, 5 + 2, lessons.join(" "));
  assert.equal(Object.keys(files).filter((path) => path.endsWith("index.html") || /\.(br|gz)$/.test(path)).join(" "),
    "embed/index.html index.html");
  const { play } = await platform(t, files);
  for (const [item, title] of [["item-lost-update", "丢失更新"], ["item-oversell", "超卖"]]) {
    const { lesson } = await play(item);
    await lesson.locator(".head h1", { hasText: title }).waitFor();
  }
});

test("SCORM 1.2: what a platform kept may be anything, and a refusal is said", async (t) => {
  const files = unpacked(t, "lost-update-scorm12", ["--lesson", "lost-update", "--query", "tabs=break", "--base",
    await serve()]);
  for (const kept of ["[", "null", '"x"', '{"progress":[1],"questions":{},"ids":[{}]}', "x".repeat(9000)]) {
    const url = await site(t, {
      ...pagesOf(files),
      "course.html": `<!doctype html><title>platform</title><body>course<script>
        window.refused = false;
        window.set = { "cmi.suspend_data": ${JSON.stringify(kept)} };
        window.API = {
          LMSInitialize: () => "true",
          LMSGetValue: (name) => set[name] ?? "",
          LMSSetValue: (name, value) => refused ? "false" : ((set[name] = value), "true"),
          LMSCommit: () => "true",
          LMSFinish: () => "true",
          LMSGetLastError: () => "101",
        };
      </script><iframe src="embed/scorm-lost-update.html" width="1000" height="800"></iframe>`,
    });
    const page = await open(t, `${url}course.html`);
    const lesson = inside(page).frameLocator("iframe");
    await lesson.locator("main.lesson").waitFor();
    await page.evaluate(() => { refused = true; });
    await breakIt(lesson);
    await inside(page).locator("#note", { hasText: "refused a result (error 101)" }).waitFor();
    assert.deepEqual(await page.evaluate(() => [set["cmi.core.exit"], set["cmi.core.score.raw"]]), ["suspend", undefined]);
  }
});

// ---- xAPI, and both ------------------------------------------------------------------------------

test("xAPI: statements with the score go to the store that the launch names", async (t) => {
  const files = unpacked(t, "lost-update-xapi", ["--lesson", "lost-update", "--query", "tabs=break", "--base", await serve()]);
  assert.match(files["tincan.xml"].toString(), /<launch lang="en">embed\/xapi-lost-update.html</);
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
    <iframe src="embed/xapi-lost-update.html?${launch}" width="1000" height="800"></iframe>`;
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
