/**
 * False where the lamp is gone, or the buyer has too little. WATCH belongs to a connection, so this
 * needs one that no other request uses meanwhile: `redis.duplicate()`.
 * @param {import("ioredis").Redis} redis @param {string} buyer
 */
export async function buyLamp(redis, buyer) { //@1
  let done;
  do { //@2
    await redis.watch("market", buyer); //@3
    const price = await redis.zscore("market", "lamp.carol"); //@4
    const funds = await redis.hget(buyer, "funds"); //@5
    if (price === null || Number(funds) < Number(price)) { //@6
      await redis.unwatch(); //@7
      return false; //@8
    }
    // multi() queues in the client; exec() sends MULTI, the commands and EXEC. Null: refused.
    done = await redis
      .multi() //@10
      .hincrby(buyer, "funds", -price) //@11
      .hincrby("user:carol", "funds", price) //@12
      .sadd(`${buyer}:items`, "lamp") //@13
      .zrem("market", "lamp.carol") //@14
      .exec(); //@15
  } while (done === null); //@16
  return true;
}
