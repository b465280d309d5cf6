import { setTimeout as sleep } from "node:timers/promises";

/** @param {import("ioredis").Redis} redis */
export async function sellNext(redis) {
  const item = await redis.lpop("orders"); //@1
  // performance.now() never jumps; Date.now() may.
  const patience = performance.now() + 2000; //@2
  while ((await redis.setnx("lock", "1")) === 0) { //@3
    if (performance.now() >= patience) { //@4
      await redis.rpush("orders", item); //@5
      return "busy"; //@6-7
    }
    await sleep(10); //@9
  }
  try { //@12
    const stock = await redis.get(item); //@13
    if (stock === null) throw new Error(`no stock of ${item}`);
    if (Number(stock) > 0) { //@14
      await redis.set(item, Number(stock) - 1); //@15
      return "sold"; //@16
    }
    return "sold out";
  } finally {
    await redis.del("lock"); //@19
  }
}
