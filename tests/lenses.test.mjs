// Every lens, the same program in another language, is compiled and run against a real
// redis-server; what it leaves there must be what tests/lenses/cases.json says. Rust's are in
// tests/lenses/main.rs, a part of the program `servers`.
//
// redis-py, ioredis and StackExchange.Redis are the libraries themselves. Spring Data Redis and go-redis are in no registry
// that these tests ask, so classes and packages of ours stand in for them (tests/lenses/java,
// tests/lenses/go), with the signatures of the part that lenses use. Redisson's lenses are compiled
// so, and not run.

import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const HERE = join(ROOT, "tests/lenses");
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "interleave");
const Redis = createRequire(join(ROOT, "tests/clients/package.json"))("ioredis");
const VERSIONS = readFileSync(join(ROOT, ".ci/versions"), "utf8");
const CASES = JSON.parse(readFileSync(join(HERE, "cases.json"), "utf8"));

/** Lenses for Redisson: a stand-in of a lock would only show that the stand-in works. */
const NOT_RUN = ["fencing/sql", "lock-and-transaction/unlock-after-commit", "watchdog/worker"].map((lens) => `${lens}.java`);

/** Those of TIMES that bound a wait for a lock. */
const FIVE_SECONDS = [
  ["monotonic() + 5", "monotonic() + 2"],
  ["now() + 5000", "now() + 2000"],
  [" 5*time.Second", " 2*time.Second"],
  [">= 5_000_000_000L", ">= 2_000_000_000L"],
  ["ElapsedMilliseconds >= 5000", "ElapsedMilliseconds >= 2000"],
];

/**
 * Leases and patience are as long as in production. Of those that a test waits for, or looks at before they are
 * over, what stands first becomes the second, in the lenses of a lesson or of one program.
 */
const TIMES = {
  "setnx-lock/bounded": [
    [">= 2_000_000_000", ">= 1_500_000_000"],
    ["monotonic() + 2", "monotonic() + 1.5"],
    ["now() + 2000", "now() + 1500"],
    [">= 2*time.Second", ">= 1500*time.Millisecond"],
    ["ElapsedMilliseconds >= 2000", "ElapsedMilliseconds >= 1500"],
  ],
  fencing: FIVE_SECONDS,
  "lock-and-transaction": FIVE_SECONDS,
  "message-stream": [
    ["monotonic() + 60", "monotonic() + 2"],
    ["now() + 60_000", "now() + 2000"],
  ],
  "owner-token/lua-del": FIVE_SECONDS,
  "two-locks": FIVE_SECONDS,
  // What a busy machine looks at late is still there.
  "cache-fill": [['"PX", 1000', '"PX", 60000']],
  "token-bucket": [
    [" + 100", " + 1000"],
    ["> 200", "> 2000"],
    ["- 200", "- 2000"],
  ],
  // A replica's first copy takes longer than one command.
  failover: [["(1, 100)", "(1, 4000)"]],
  // A process pause, in which another client takes the lock.
  "lease-too-short": [
    ['int(r.get("stock"))', 'int(r.get("stock")); __import__("time").sleep(0.5)'],
    ['Number(await redis.get("stock"));', 'Number(await redis.get("stock")); await sleep(500);'],
  ],
  // A message comes long before a waiter looks by itself.
  "pubsub-lost": [
    ["sleep(1000", "sleep(4000"],
    ["time.After(time.Second)", "time.After(4 * time.Second)"],
  ],
  // A client is let in while it pauses, however late that is.
  "sliding-window": [
    ["time.sleep(0.9)", "time.sleep(3)"],
    ["sleep(900)", "sleep(3000)"],
    ["900 * time.Millisecond", "3000 * time.Millisecond"],
  ],
  watchdog: [
    ["LEASE = 30.0", "LEASE = 0.6"],
    ["time.sleep(40)", "time.sleep(2)"],
    ["LEASE_MS = 30_000", "LEASE_MS = 600"],
    ["lease = 30 * time.Second", "lease = 600 * time.Millisecond"],
  ],
};

/** The lenses of a language, `lost-update/get-set`, and their sources. */
function lenses(extension) {
  const found = {};
  for (const lesson of readdirSync(join(ROOT, "static/lessons"))) {
    const folder = join(ROOT, "static/lessons", lesson, "lens");
    if (!existsSync(folder)) continue;
    for (const file of readdirSync(folder).filter((name) => name.endsWith(`.${extension}`))) {
      const lens = `${lesson}/${file.slice(0, -extension.length - 1)}`;
      let source = readFileSync(join(folder, file), "utf8");
      const times = TIMES[lens] ?? TIMES[lesson];
      if (times) {
        const longer = times.reduce((text, [from, to]) => text.replaceAll(from, to), source);
        assert.ok(longer !== source || NOT_RUN.includes(`${lesson}/${file}`), `${lesson}/${file} has no time that TIMES knows`);
        source = longer;
      }
      found[lens] = source;
    }
  }
  assert.notDeepEqual(found, {}, `no lesson has a lens in ${extension}`);
  return found;
}

function put(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const scratch = (t) => {
  const folder = mkdtempSync(join(tmpdir(), "interleave-lenses-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Runs a compiler, while lenses of other languages run; what it says is the failure. */
async function compile(program, words, options = {}) {
  await promisify(execFile)(program, words, options).catch((error) => {
    assert.fail(`${program}: ${error.stderr ?? ""}${error.stdout ?? error}`);
  });
}

const has = (program) => {
  try {
    return execFileSync(program, ["-version"], { stdio: "pipe" }) !== undefined;
  } catch {
    return false;
  }
};

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

/** Waits until it is so, five seconds at most: what the test looks at afterwards says what is missing. */
async function until(isSo) {
  for (let waited = 0; !(await isSo()) && waited < 5000; waited += 5) await sleep(5);
}

/** A redis-server of this test's own, and a connection to it. */
async function start(t) {
  const port = await freePort();
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  options.push("--repl-diskless-sync-delay", "0"); // 5 s would be those of a replica's first copy
  // A copy for a replica stays where it was made, and the next server that starts there reads it.
  const cwd = mkdtempSync(join(tmpdir(), "interleave-lenses-"));
  const child = spawn("redis-server", options, { stdio: "ignore", cwd });
  t.after(() => child.kill());
  child.once("exit", () => rmSync(cwd, { recursive: true, force: true }));
  const redis = new Redis({ port, host: "127.0.0.1", maxRetriesPerRequest: null, retryStrategy: () => 20 });
  redis.on("error", () => {}); // until the server listens
  t.after(() => redis.disconnect());
  await redis.ping();
  return { port, redis };
}

/** The servers of a test: r1, and those that a case names beside it, which start when they are asked for. */
async function servers(t) {
  const started = { r1: await start(t) };
  const heard = await monitor(t, started.r1.redis);
  return { port: started.r1.port, heard, started, node: async (name) => (started[name] ??= await start(t)) };
}

/**
 * A program that runs a lens for each line it reads, and says in a line how it ended. A line is a name
 * and options: `lost-update/get-set work_ms=2`. `given` are strings that the lens is called with, after
 * the client; `ports`, of several servers: the lens is called with a list of clients; `sql`: it is
 * called with a database: its document is the hash `doc`, its orders the hash `orders`, and each UPDATE and INSERT counts
 * as work; or with a mapper of MyBatis, whose row is the hash `act`, and whose SELECT counts as work.
 */
function runner(t, program, words) {
  const child = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
  t.after(() => child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (line) => {
    child.stdin.write(`${line}\n`);
    const { value, done } = await lines.next();
    assert.ok(!done, `the program that runs lenses ended at ${line}`);
    return JSON.parse(value);
  };
}

/**
 * Hears the commands of lenses at r1: of those asked for, as "watch" or "watch points", which came since
 * the last time, in their order. `first` waits until one came that begins so.
 */
async function monitor(t, redis) {
  const monitor = await redis.monitor();
  t.after(() => monitor.disconnect());
  let heard = [];
  monitor.on("monitor", (_time, [name, ...words], source) => {
    if (source !== "lua") heard.push([name.toLowerCase(), ...words, ""].join(" "));
  });
  const first = (start) => until(() => heard.some((command) => command.startsWith(start)));
  const since = async (asked) => {
    await redis.echo("until-here");
    const end = () => heard.indexOf("echo until-here ");
    await until(() => end() >= 0);
    const found = heard.slice(0, end()).map((command) => asked.find((text) => command.startsWith(`${text} `)));
    heard = [];
    return found.filter((text) => text !== undefined);
  };
  return Object.assign(since, { first });
}

/**
 * Runs lenses, `names` by what the runner calls them, in two halves at a time, each with servers of its own:
 * they wait most of the time. `words` are those of the program that runs lenses at a port.
 */
async function run(t, program, words, names) {
  const half = async (which) => {
    const all = await servers(t);
    const here = Object.entries(names).filter((_, at) => at % 2 === which);
    await runInTurn(all, runner(t, program, words(String(all.port))), here);
  };
  await Promise.all([0, 1].map(half));
}

async function runInTurn({ started, heard, node }, runOne, names) {
  const command = async (text) => {
    const [, name = "r1", words] = /^(?:(r\d): )?(.*)$/.exec(text);
    const { redis } = await node(name);
    // A replica is told of its master's port; a connection that waits for the reply to a script is cut.
    const known = { "{r1}": started.r1.port };
    if (words.includes("{eval}")) await until(async () => (known["{eval}"] = /^id=(\d+) .*cmd=eval /m.exec(await redis.client("LIST"))?.[1]));
    return redis.call(...words.replaceAll(/\{\w+\}/g, (name) => known[name] ?? name).split(" "));
  };
  for (const [lens, name] of names) {
    assert.ok(CASES[lens], `tests/lenses/cases.json has nothing for ${lens}`);
    for (const { setup, given = [], sql = false, nodes = [], won, value, fails = false, at_least_ms = 0, at_most_ms = Infinity, step = 1, at_once = {}, during = {}, as_soon_as, order, after } of CASES[lens]) {
      for (const { redis } of Object.values(started)) {
        await redis.replicaof("NO", "ONE");
        await redis.flushall();
      }
      // A lease of the setup ends so long after this, however slowly the setup and the lens come along.
      const began = performance.now();
      for (const text of setup) await command(text.replaceAll("{past}", Date.now() - 10));
      await heard([]);
      const what = `${lens} after ${setup.join(", ") || "nothing"}`;
      // Work lasts far longer than a look at what is there while it lasts, and never less than a tick of the clock.
      const [interrupted, watched] = [at_once, during].map((found) => Object.keys(found).length > 0);
      const line = [name, `work_ms=${interrupted || watched ? 2000 : 2}`];
      if (given.length > 0) line.push(`given=${given}`);
      if (sql) line.push("sql=1");
      const ports = [];
      for (const one of nodes) ports.push(one === "-" ? await freePort() : (await node(one)).port);
      if (ports.length > 0) line.push(`ports=${ports}`);
      const ending = runOne(line.join(" "));
      const look = async (expected, when) => {
        for (const [text, reply] of Object.entries(expected)) {
          assert.deepEqual(await command(text), reply, `${what}: ${text}, ${when}`);
        }
      };
      if (interrupted) {
        // This step of the work has begun, and lasts far longer than this.
        await until(async () => (await command("GET worked")) === String(step));
        await look(at_once, `as it begins step ${step} of the work`);
      }
      if (watched) {
        await (as_soon_as ? heard.first(as_soon_as) : sleep(750)); // more than the lease
        await look(during, "while it works");
      }
      let ended = await ending;
      const took = performance.now() - began;
      assert.ok(took >= at_least_ms, `${what}: it did not wait`);
      assert.ok(took <= at_most_ms, `${what}: it waited for ${took} ms`);
      // In Go this answer is an error.
      if (ended.error?.startsWith("busy")) ended = { value: "busy" };
      assert.equal("error" in ended, fails, `${what}: ${JSON.stringify(ended)}`);
      if (order) assert.deepEqual(await heard(order), order, `${what}: commands of the lens`);
      await look(after, "at the end");
      if (value !== undefined) assert.deepEqual(ended.value ?? null, value, `${what}: ${JSON.stringify(ended)}`);
      // What most lenses answer differs by language; whether it is good news does not.
      if (won !== undefined && ended.value !== undefined && ended.value !== null) {
        const good = Boolean(ended.value) && !["busy", "sold out"].includes(ended.value);
        assert.equal(good, won, `${what}: ${JSON.stringify(ended)}`);
      }
    }
  }
}

/** Every lens is called by its own name. */
const byName = (found) => Object.fromEntries(Object.keys(found).map((lens) => [lens, lens]));

// Lenses wait most of the time: all languages at once.
suite("lenses", { concurrency: true }, () => {
  test("Python's lenses do what they say, with replies as bytes and as text", async (t) => {
    const python = join(CACHE, "redis-py/bin/python");
    assert.ok(existsSync(python), "redis-py is not there: .ci/setup clients");
    const [folder, found] = [scratch(t), lenses("py")];
    for (const [lens, source] of Object.entries(found)) put(join(folder, `${lens}.py`), source);
    const each = (replies) => run(t, python, (port) => [join(HERE, "run.py"), port, replies, folder], byName(found));
    await Promise.all(["bytes", "text"].map(each));
  });

  test("Node.js's lenses do what they say", async (t) => {
    const [folder, found] = [scratch(t), lenses("mjs")];
    for (const [lens, source] of Object.entries(found)) put(join(folder, `${lens}.mjs`), source);
    await run(t, process.execPath, (port) => [join(HERE, "run.mjs"), port, folder], byName(found));
  });

  test("Java's lenses compile and do what they say", async (t) => {
    if (!has("javac")) return t.skip("there is no JDK here: .ci/setup java");
    const folder = scratch(t);
    const [files, classes] = [[], {}];
    for (const [lens, source] of Object.entries(lenses("java"))) {
      // Several lessons have a class Worker, so each has a package, on a line that is there already.
      const words = lens.split(/\W/).map((word) => `_${word}`);
      const name = /^(?:public |final |abstract )*(?:class|record) (\w+)/m.exec(source)[1];
      const path = join(folder, "lens", ...words, `${name}.java`);
      put(path, `package lens.${words.join(".")}; ${source}`);
      files.push(path);
      if (!NOT_RUN.includes(`${lens}.java`)) classes[lens] = `lens.${words.join(".")}.${name}`;
    }
    await compile("javac", [
      "-proc:none", "-Xlint:all", "-Werror", "-d", join(folder, "classes"), "-sourcepath", join(HERE, "java"),
      join(HERE, "java/standin/Run.java"), ...files,
    ]);
    await run(t, "java", (port) => ["-Xshare:auto", "-cp", join(folder, "classes"), "standin.Run", port], classes);
  });

  test("Go's lenses compile and do what they say", async (t) => {
    const go = join(CACHE, `go-${/^GO=(.*)$/m.exec(VERSIONS)[1]}/goroot/bin/go`);
    if (!existsSync(go)) return t.skip("there is no Go here: .ci/setup go");
    const [folder, found] = [scratch(t), lenses("go")];
    cpSync(join(HERE, "go"), folder, { recursive: true });
    const [imports, rows] = [[], []];
    for (const [lens, source] of Object.entries(found)) {
      const path = `lens/${lens}`;
      put(join(folder, path, "lens.go"), source);
      const name = `l${imports.length}`;
      imports.push(`import ${name} "lenses/${path}"`);
      rows.push(`\t"${lens}": ${name}.${/^func ([A-Z]\w*)\(/m.exec(source)[1]},`);
    }
    put(join(folder, "table.go"), `package main\n\n${imports.join("\n")}\n\nvar lenses = map[string]any{\n${rows.join("\n")}\n}\n`);
    const modules = { "github.com/redis/go-redis/v9": ["v9.0.0", "./redis"], "github.com/google/uuid": ["v1.0.0", "./uuid"] };
    const lines = Object.entries(modules).map(([module, [version, at]]) => `require ${module} ${version}\nreplace ${module} => ${at}\n`);
    put(join(folder, "go.mod"), `module lenses\n\ngo 1.22\n\n${lines.join("")}`);
    const env = { ...process.env, GOTOOLCHAIN: "local", GOPROXY: "off", GOFLAGS: "-mod=mod", CGO_ENABLED: "0" };
    await compile(go, ["vet", "./..."], { cwd: folder, env });
    await compile(go, ["build", "-o", "run-lenses", "."], { cwd: folder, env });
    await run(t, join(folder, "run-lenses"), (port) => [port], byName(found));
  });

  test("C#'s lenses compile and do what they say", async (t) => {
    const library = join(CACHE, `stackexchange-redis-${/^DOTNET_SDK=(.*)$/m.exec(VERSIONS)[1]}/StackExchange.Redis.StrongName.dll`);
    const facades = "/usr/lib/mono/4.5/Facades";
    if (!existsSync(library) || !existsSync(facades)) return t.skip("there is no Mono, or no StackExchange.Redis, here: .ci/setup csharp");
    const [folder, files, classes] = [scratch(t), [], {}];
    for (const [lens, source] of Object.entries(lenses("cs"))) {
      // Several lessons have a class Shop, so each has a namespace, on lines that are there already.
      const [space, path] = [`Lens${files.length}`, join(folder, `${lens}.cs`)];
      put(path, `namespace ${space} { ${source.trimEnd()} }\n`);
      files.push(path);
      classes[lens] = `${space}.${/^class (\w+)/m.exec(source)[1]}`;
    }
    cpSync(library, join(folder, basename(library)));
    const references = ["System.IO", "System.Runtime", "System.Threading.Tasks"].map((name) => `-r:${facades}/${name}.dll`);
    const program = join(folder, "run.exe");
    await compile("mcs", ["-warnaserror", `-out:${program}`, `-r:${library}`, ...references, join(HERE, "csharp/Run.cs"), ...files]);
    await run(t, "mono", (port) => [program, port], classes);
  });
});
