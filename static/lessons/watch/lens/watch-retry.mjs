import { setTimeout as sleep } from "node:timers/promises";

/**
 * False where every attempt was refused. WATCH belongs to a connection, so this needs one that no
 * other request uses meanwhile: `redis.duplicate()`.
 * @param {import("ioredis").Redis} redis
 */
export async function doublePoints(redis) {
  for (let attempt = 0; attempt < 10; attempt++) {
    await redis.watch("points"); //@4
    const points = Number(await redis.get("points")); //@5
    // multi() queues in the client; exec() sends MULTI, the commands and EXEC. Null: refused.
    const done = await redis.multi().set("points", points * 2).exec(); //@6-8
    if (done !== null) { //@9
      return true;
    }
    await sleep(Math.random() * 20);
  }
  return false;
}
