import { setTimeout as sleep } from "node:timers/promises";

/**
 * An ioredis client is one connection, which all its callers share. WATCH needs another one.
 * @param {import("ioredis").Redis} redis
 */
export async function sell(redis) {
  const own = redis.duplicate(); //@1
  try {
    for (let attempt = 0; attempt < 10; attempt++) { //@2
      await own.watch("stock"); //@3
      const stock = Number(await own.get("stock")); //@4
      // multi() queues in the client; exec() sends MULTI, the commands and EXEC. Null: refused.
      const done = await own.multi().set("stock", stock - 1).exec(); //@5-7
      if (done !== null) return;
      await sleep(Math.random() * 20);
    }
  } finally {
    own.disconnect();
  }
  throw new Error("ten attempts were refused");
}
