import { randomUUID } from "node:crypto";

const ENTER = `
local time = redis.call("TIME")
local ms = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ms - 10000)
if redis.call("ZCARD", KEYS[1]) < 2 then
  return redis.call("ZADD", KEYS[1], ms, ARGV[1])
end
return 0`; //@1-8

/** @param {import("ioredis").Redis} redis @param {() => Promise<void>} work */
export async function tryWork(redis, work) {
  const id = randomUUID(); //@9
  if ((await redis.eval(ENTER, 1, "slots", id)) !== 1) return false; //@10
  try {
    await work(); //@11-13
    return true;
  } finally {
    await redis.zrem("slots", id); //@14
  }
}
