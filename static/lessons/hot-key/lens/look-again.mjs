import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const RELEASE = `
if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end
return 0`;

/**
 * Throws where the lock is taken for a second: show the page without the price.
 * @param {import("ioredis").Redis} redis @param {() => Promise<number>} selectPrice
 */
export async function read(redis, selectPrice) {
  const cached = await redis.get("price:7"); //@1
  if (cached !== null) return Number(cached); //@2
  const me = randomUUID();
  const patience = performance.now() + 1000;
  while ((await redis.set("lock:7", me, "PX", 10_000, "NX")) === null) { //@3
    if (performance.now() >= patience) throw new Error("the lock is taken for a second");
    await sleep(30); //@4
  } //@5
  try {
    const again = await redis.get("price:7"); //@6
    if (again !== null) return Number(again); //@7
    const price = await selectPrice(); //@8-9
    await redis.set("price:7", price, "PX", 60_000); //@10
    return price; //@11
  } finally {
    await redis.eval(RELEASE, 1, "lock:7", me); //@12
  } //@13
}
