import { setTimeout as sleep } from "node:timers/promises";

/** @param {import("ioredis").Redis} redis */
export async function sellNext(redis) {
  let sold = false;
  const item = await redis.lpop("orders"); //@1
  while ((await redis.setnx("lock", "1")) === 0) { //@2
    await sleep(10); //@3
  }
  const stock = await redis.get(item); //@6
  if (stock === null) throw new Error(`no stock of ${item}`); // and the lock stays
  if (Number(stock) > 0) { //@7
    await redis.set(item, Number(stock) - 1); //@8
    sold = true; //@9
  }
  await redis.del("lock"); //@11
  return sold;
}
