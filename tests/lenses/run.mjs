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

/** Stands in for a pool of mysql2: the two statements that lenses have, on a row and on orders that are hashes in Redis. */
const database = (work) => ({
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
