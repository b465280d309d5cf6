import { setTimeout as sleep } from "node:timers/promises";

/** @param {import("ioredis").Redis} redis */
export async function sellNext(redis) {
  const item = await redis.lpop("orders"); //@1
  while ((await redis.setnx("lock", "1")) === 0) { //@2
    await sleep(10); //@3
  }
  try { //@6
    const stock = await redis.get(item); //@7
    if (stock === null) throw new Error(`no stock of ${item}`);
    if (Number(stock) > 0) { //@8
      await redis.set(item, Number(stock) - 1); //@9
      return true; //@10
    }
    return false;
  } finally {
    await redis.del("lock"); //@13-14
  }
}
