import { setTimeout as sleep } from "node:timers/promises";

/**
 * False where the lamp is gone, the buyer has too little, or ten attempts were refused. WATCH
 * belongs to a connection: give it one of its own, `redis.duplicate()`.
 * @param {import("ioredis").Redis} redis @param {string} buyer
 */
export async function buyLamp(redis, buyer) { //@1
  for (let attempt = 0; attempt < 10; attempt++) { //@2
    await redis.watch("market", buyer); //@3
    const price = await redis.zscore("market", "lamp.carol"); //@4
    const funds = await redis.hget(buyer, "funds"); //@5
    if (price === null || Number(funds) < Number(price)) { //@6
      await redis.unwatch(); //@7
      return false; //@8
    }
    // multi() queues in the client; exec() sends MULTI, the commands and EXEC. Null: refused.
    const done = await redis
      .multi() //@10
      .hincrby(buyer, "funds", -price) //@11
      .hincrby("user:carol", "funds", price) //@12
      .sadd(`${buyer}:items`, "lamp") //@13
      .zrem("market", "lamp.carol") //@14
      .exec(); //@15
    if (done !== null) return true; //@16
    await sleep(Math.random() * 20);
  }
  return false;
}
