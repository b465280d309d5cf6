import { randomUUID } from "node:crypto";

const ENTER = `
local time = redis.call("TIME")
local ms = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ms - 10000)
if redis.call("ZCARD", KEYS[1]) < 2 then
  return redis.call("ZADD", KEYS[1], ms, ARGV[1])
end
return 0`; //@1-8

/**
 * False where no slot was free. Throws where the slot was lost during the work.
 * @param {import("ioredis").Redis} redis @param {() => Promise<void>} work
 */
export async function tryWork(redis, work) {
  const id = randomUUID(); //@9
  if ((await redis.eval(ENTER, 1, "slots", id)) !== 1) return false; //@10
  let freed = 0;
  try {
    await work(); //@11-13
  } finally {
    freed = await redis.zrem("slots", id); //@14
  }
  if (freed === 0) throw new Error("the slot was lost during the work");
  return true;
}
