import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const RELEASE = `for _, key in ipairs(KEYS) do
  if redis.call("GET", key) == ARGV[1] then redis.call("DEL", key) end
end`; //@1-3

/**
 * False where an item is sold out, or no cart is left.
 * @param {import("ioredis").Redis} redis
 */
export async function checkOut(redis) {
  const me = randomUUID(); //@4
  const cart = await redis.lpop("carts"); //@8
  if (cart === null) return false;
  // One order for all clients, and no lock twice. Without a function, sort() compares UTF-16 code units.
  const items = [...new Set(cart.split(","))].sort(); //@9
  const locks = items.map((item) => `lock:${item}`);
  try {
    for (const lock of locks) { //@10-11
      while ((await redis.set(lock, me, "PX", 10_000, "NX")) === null) await sleep(30); //@5-7
    }
    const left = await redis.mget(items); //@12
    if (left.some((n) => Number(n) < 1)) return false; //@13
    await redis.mset(items.flatMap((item, i) => [item, Number(left[i]) - 1])); //@14
    return true; //@15
  } finally {
    await redis.eval(RELEASE, locks.length, ...locks, me); //@17
  }
}
