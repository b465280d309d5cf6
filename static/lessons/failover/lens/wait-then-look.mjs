import { randomUUID } from "node:crypto";

const UNLOCK = `
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("DEL", KEYS[1])
end
return 0`; //@1-5

/**
 * False where another client has the lock, or no replica has got it in time. Throws where the lock
 * was lost: another client may have worked too.
 * @param {import("ioredis").Redis} redis
 * @param {() => Promise<void>} work
 */
export async function workOnce(redis, work) {
  const token = randomUUID(); //@6
  const own = redis.duplicate(); // WAIT speaks for its own connection, and holds it up
  try {
    if ((await own.set("lock", token, "PX", 10_000, "NX")) === null) return false; //@7
    let [holding, unlocked] = [false, 0];
    try {
      const copies = await own.wait(1, 100); //@8
      const owner = await own.get("lock"); //@9
      holding = copies >= 1 && owner === token; //@10-11
      if (holding) await work(); //@12
    } finally {
      unlocked = await own.eval(UNLOCK, 1, "lock", token); //@15
    }
    if (holding && unlocked === 0) throw new Error("the lock was lost during the work");
    return holding;
  } finally {
    own.disconnect();
  }
}
