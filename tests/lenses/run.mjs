// Runs lenses for ioredis. Arguments: the port, the folder. A line of input is a lens,
// `lost-update/get-set`; a line of output says how it ended, in JSON.

import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const Redis = createRequire(new URL("../clients/package.json", import.meta.url))("ioredis");
const [port, folder] = process.argv.slice(2);
const redis = new Redis({ port: Number(port), host: "127.0.0.1", maxRetriesPerRequest: 0 });

for await (const lens of createInterface({ input: process.stdin })) {
  const work = async () => {
    const worked = await redis.incr("worked");
    // Longer than the lease that the test gives this lens: its watchdog has work to do.
    if (lens.startsWith("watchdog/")) await sleep(900);
    return worked;
  };
  let ended;
  try {
    const functions = Object.values(await import(join(folder, `${lens}.mjs`)));
    if (functions.length !== 1) throw new Error(`${lens} exports ${functions.length} functions`);
    ended = { value: await functions[0](redis, work) };
  } catch (error) {
    ended = { error: String(error) };
  }
  console.log(JSON.stringify(ended));
}
redis.disconnect();
