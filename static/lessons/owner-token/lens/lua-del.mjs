import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const RELEASE = `
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("GETDEL", KEYS[1])
end
return false`; //@1-5

/**
 * False if the lease was over before the job was.
 * @param {import("ioredis").Redis} redis
 */
export async function run(redis) {
  const me = randomUUID(); //@6
  const patience = performance.now() + 5000;
  while ((await redis.set("lock", me, "PX", 10_000, "NX")) === null) { //@7
    if (performance.now() >= patience) throw new Error("the lock is taken, please try again");
    await sleep(10); //@8
  }
  let removed = null;
  try {
    await redis.incr("jobs"); //@11
  } finally {
    removed = await redis.eval(RELEASE, 1, "lock", me); //@13
  }
  return removed !== null;
}
