import { randomUUID } from "node:crypto";

const ENTER = `
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ARGV[1] - 10000)
if redis.call("ZCARD", KEYS[1]) < 2 then
  return redis.call("ZADD", KEYS[1], ARGV[1], ARGV[2])
end
return 0`; //@1-6

/**
 * False where no slot was free, or the slot was lost during the work.
 * @param {import("ioredis").Redis} redis @param {() => Promise<void>} step
 */
export async function tryWork(redis, step) {
  const id = randomUUID(); //@7
  if ((await redis.eval(ENTER, 1, "times", Date.now(), id)) === 0) return false; //@8
  let freed = 0;
  try {
    await step(); //@9-10
    // With CH the reply counts changed entries: 0 where this one has been removed.
    const changed = await redis.zadd("times", "XX", "CH", Date.now(), id); //@11
    if (changed === 0) return false; //@12
    await step(); //@13-14
  } finally {
    freed = await redis.zrem("times", id); //@16-17
  }
  return freed === 1;
}
