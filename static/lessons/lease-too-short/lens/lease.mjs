import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const LEASE_MS = 10_000;
const RELEASE = `
if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end
return 0`;

/**
 * Throws where the lease was too short: another client may have sold the same unit.
 * @param {import("ioredis").Redis} redis
 */
export async function sell(redis) {
  const me = randomUUID(); //@1
  const patience = performance.now() + 2000;
  while ((await redis.set("lock", me, "PX", LEASE_MS, "NX")) === null) { //@2
    if (performance.now() >= patience) return "busy";
    await sleep(10); //@3
  } //@4
  let [sold, removed] = [0, 0];
  try {
    const stock = Number(await redis.get("stock")); //@6
    if (stock > 0) { //@7
      await redis.set("stock", stock - 1); //@8
      sold = 1; //@9
    }
  } finally {
    removed = await redis.eval(RELEASE, 1, "lock", me); // only its own //@12
  }
  if (removed === 0) throw new Error("the lock was lost during the sale");
  return sold === 1 ? "sold" : "sold out";
}
