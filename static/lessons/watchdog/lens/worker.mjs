import { randomUUID } from "node:crypto";

const LEASE_MS = 30_000;
const RENEW = `if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
  return redis.call("PEXPIRE", KEYS[1], ARGV[2])`;
const RELEASE = `if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
  return redis.call("DEL", KEYS[1])`; //@9-18

/**
 * False where another client is at work. ioredis has no watchdog: this is one. Throws where the
 * lock was lost: another client may have worked beside this one.
 * @param {import("ioredis").Redis} redis
 * @param {(lost: AbortSignal) => Promise<void>} work
 */
export async function workOnce(redis, work) {
  const me = randomUUID();
  let until = performance.now() + LEASE_MS;
  const taken = await redis.set("lock", me, "PX", LEASE_MS, "NX"); //@1-8
  if (taken === null) return false; //@20
  const lost = new AbortController();
  const watchdog = setInterval(async () => {
    const asked = performance.now();
    try {
      const held = await redis.eval(RENEW, 1, "lock", me, LEASE_MS);
      if (held === 1) until = asked + LEASE_MS;
      else lost.abort();
    } catch {
      // No answer: try again, until the lease has expired.
      if (asked > until) lost.abort();
    }
  }, LEASE_MS / 3);
  const release = () => redis.eval(RELEASE, 1, "lock", me); //@25
  try {
    await work(lost.signal); //@22
  } catch (error) {
    await release().catch(() => {}); // the work's own error is the one to tell
    throw error;
  } finally {
    clearInterval(watchdog);
  }
  if ((await release()) === 0) throw new Error("the lock was lost during the work");
  return true; //@23
}
