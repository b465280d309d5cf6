// Runs lenses for ioredis. Arguments: the port, the folder. A line of input is a lens and options,
// `lost-update/get-set work_ms=2`; a line of output says how it ended, in JSON.

import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const Redis = createRequire(new URL("../clients/package.json", import.meta.url))("ioredis");
const [port, folder] = process.argv.slice(2);
const redis = new Redis({ port: Number(port), host: "127.0.0.1", maxRetriesPerRequest: 0 });

const UPDATE = "UPDATE doc SET body = ?, token = ? WHERE id = 1 AND token <= ?";
const INSERT = "INSERT INTO orders VALUES (?, 'open')";

const SELECT = "SELECT n FROM item WHERE id = 7";
const SELL = "UPDATE item SET n = ? WHERE id = 7";

/** Stands in for a connection of mysql2 and its transaction, on a row that is the hash `item`; the COMMIT is the work. */
function connection(work) {
  let [begun, written] = [false, undefined];
  return {
    async beginTransaction() {
      begun = true;
    },
    async execute(sql, values = []) {
      if (!begun) throw new Error("there is no transaction");
      if (sql === SELECT) return [[{ n: written ?? Number(await redis.hget("item", "n")) }], undefined];
      if (sql !== SELL) throw new Error(`unknown statement: ${sql}`);
      [written] = values;
      return [{ affectedRows: 1 }, undefined];
    },
    async commit() {
      await work();
      if (written !== undefined) await redis.hset("item", { n: written });
      begun = false;
    },
    async rollback() {
      [begun, written] = [false, undefined];
    },
    release() {
      if (begun) throw new Error("the transaction is still open");
    },
  };
}

/** Stands in for a pool of mysql2: the two statements that lenses have outside of transactions, on hashes in Redis. */
const database = (work) => ({
  async getConnection() {
    return connection(work);
  },
  async execute(sql, values) {
    if (sql === INSERT) {
      await work();
      if (values[0] === "refused") throw Object.assign(new Error("Check constraint"), { code: "ER_CHECK_CONSTRAINT_VIOLATED" });
      if ((await redis.hsetnx("orders", values[0], "open")) === 1) return [{ affectedRows: 1 }, undefined];
      throw Object.assign(new Error("Duplicate entry"), { code: "ER_DUP_ENTRY" });
    }
    const [body, token, most] = values;
    if (sql !== UPDATE) throw new Error(`unknown statement: ${sql}`);
    const found = Number(await redis.hget("doc", "token")) <= most;
    if (found) await redis.hset("doc", { body, token });
    await work();
    return [{ affectedRows: Number(found) }, undefined];
  },
});

function oneOfSeveral(port) {
  const client = new Redis({ port: Number(port), host: "127.0.0.1", maxRetriesPerRequest: 0, commandTimeout: 2000 });
  client.on("error", () => {}); // there may be no server
  return client;
}

for await (const line of createInterface({ input: process.stdin })) {
  const [lens, ...words] = line.split(" ");
  const options = Object.fromEntries(words.map((word) => word.split("=")));
  const work = async () => {
    const worked = await redis.incr("worked");
    await sleep(Number(options.work_ms));
    return worked;
  };
  const several = options.ports?.split(",").map(oneOfSeveral);
  let ended;
  try {
    const functions = Object.values(await import(join(folder, `${lens}.mjs`)));
    if (functions.length !== 1) throw new Error(`${lens} exports ${functions.length} functions`);
    const given = options.given?.split(",") ?? [];
    ended = { value: await functions[0](several ?? redis, ...given, options.sql ? database(work) : work) };
  } catch (error) {
    ended = { error: String(error) };
  }
  several?.forEach((client) => client.disconnect());
  console.log(JSON.stringify(ended));
}
redis.disconnect();
