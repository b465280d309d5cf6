import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const RELEASE = `local n = 0
for _, key in ipairs(KEYS) do
  if redis.call("GET", key) == ARGV[1] then n = n + redis.call("DEL", key) end
end
return n`; //@1-3

/**
 * False where an item is sold out, or no cart is left. Throws also where a lock was lost: another
 * client may have sold the same items.
 * @param {import("ioredis").Redis} redis
 */
export async function checkOut(redis) {
  const me = randomUUID(); //@4
  const cart = await redis.lpop("carts"); //@8
  if (cart === null) return false;
  // One order for all clients, and no lock twice. Without a function, sort() compares UTF-16 code units.
  const items = [...new Set(cart.split(","))].sort(); //@9
  const locks = items.map((item) => `lock:${item}`);
  const patience = performance.now() + 5000; // for all locks, and shorter than a lease
  let [sold, released] = [false, 0];
  try {
    for (const lock of locks) { //@10-11
      while ((await redis.set(lock, me, "PX", 10_000, "NX")) === null) { //@5-7
        if (performance.now() >= patience) {
          await redis.rpush("carts", cart);
          throw new Error("a lock is taken, please try again");
        }
        await sleep(30); //@6
      }
    }
    const left = await redis.mget(items); //@12
    sold = left.every((n) => Number(n) > 0); //@13
    if (sold) await redis.mset(items.flatMap((item, i) => [item, Number(left[i]) - 1])); //@14-15
  } finally {
    released = await redis.eval(RELEASE, locks.length, ...locks, me); //@17
  }
  if (released < locks.length) throw new Error("a lock was lost during the work");
  return sold;
}
