// The engine behind a port, as ioredis meets it. The argument is the port.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import Redis from "ioredis";

const port = Number(process.argv[2]);
const open = [];
const connect = (options = {}) => {
  const client = new Redis({ port, host: "127.0.0.1", maxRetriesPerRequest: 0, ...options });
  open.push(client);
  return client;
};
const redis = connect();

async function stringsAndHashes() {
  assert.equal(await redis.set("s", "v", "EX", 100), "OK");
  assert.equal(await redis.get("s"), "v");
  assert.equal(await redis.set("s", "w", "NX"), null);
  assert.equal(await redis.incr("n"), 1);
  assert.equal(await redis.hset("h", { f: 1, g: 2 }), 2);
  assert.deepEqual(await redis.hgetall("h"), { f: "1", g: "2" });
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
  await redis.set("bytes", bytes);
  assert.deepEqual(await redis.getBuffer("bytes"), bytes);
}

async function pipelinesAndTransactions() {
  const pipe = redis.pipeline();
  for (let n = 0; n < 1000; n++) pipe.set(`p:${n}`, n);
  const replies = await pipe.exec();
  assert.ok(replies.length === 1000 && replies.every(([error, ok]) => !error && ok === "OK"));
  assert.deepEqual(await redis.multi().set("m", 1).incr("m").exec(), [[null, "OK"], [null, 2]]);
  const other = connect();
  await other.watch("m");
  await redis.set("m", 9);
  assert.equal(await other.multi().incr("m").exec(), null);
}

async function iterators() {
  const seen = new Set();
  for await (const keys of redis.scanStream({ match: "p:*", count: 50 })) {
    for (const key of keys) seen.add(key);
  }
  assert.equal(seen.size, 1000);
}

async function messages() {
  const ears = connect();
  const heard = new Promise((resolve) =>
    ears.on("message", (channel, text) => resolve([channel, text])),
  );
  const pattern = new Promise((resolve) => ears.on("pmessage", (...all) => resolve(all)));
  assert.equal(await ears.subscribe("news"), 1);
  assert.equal(await ears.psubscribe("new*"), 2);
  assert.equal(await redis.publish("news", "hello"), 2);
  assert.deepEqual(await heard, ["news", "hello"]);
  assert.deepEqual(await pattern, ["new*", "news", "hello"]);
}

async function blocking() {
  const popped = connect().blpop("queue", 5);
  while (!(await redis.info("clients")).includes("blocked_clients:1")) {
    // Until the other one waits.
  }
  await redis.rpush("queue", "job");
  assert.deepEqual(await popped, ["queue", "job"]);
  assert.equal(await connect().blpop("queue", 0.05), null);
}

async function scripts() {
  redis.defineCommand("release", {
    numberOfKeys: 1,
    lua: "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end return 0",
  });
  await redis.set("lock", "token");
  assert.equal(await redis.release("lock", "other"), 0);
  assert.equal(await redis.release("lock", "token"), 1);
  await redis.script("FLUSH");
  assert.equal(await redis.release("lock", "token"), 0);
}

async function connectionsAndErrors() {
  const named = connect({ connectionName: "smoke", db: 1 });
  assert.equal(await named.client("GETNAME"), "smoke");
  await named.set("only", "here");
  assert.equal(await redis.get("only"), null);
  // ioredis speaks RESP2 alone.
  assert.deepEqual((await redis.call("HELLO", "2")).slice(0, 2), ["server", "redis"]);
  await redis.set("s", "v");
  await assert.rejects(redis.lpush("s", 1), /WRONGTYPE/);
  await assert.rejects(redis.call("NOSUCH"), /unknown command/);
}

try {
  await redis.flushall();
  for (const part of [
    stringsAndHashes, pipelinesAndTransactions, iterators, messages, blocking, scripts,
    connectionsAndErrors,
  ]) {
    await part();
  }
  const { version } = createRequire(import.meta.url)("ioredis/package.json");
  console.log(`ioredis ${version}: all is well`);
} finally {
  for (const client of open) client.disconnect();
}
