import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const ENTER = `
local time = redis.call("TIME")
local ms = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ms - ARGV[2])
if redis.call("ZCARD", KEYS[1]) >= tonumber(ARGV[1]) then
  return {0, ms}
end
redis.call("ZADD", KEYS[1], ms, ARGV[3])
redis.call("PEXPIRE", KEYS[1], ARGV[2])
return {1, ms}`; //@1-10

/** @param {import("ioredis").Redis} redis */
export async function enter(redis) {
  for (const attempt of [1, 2]) { //@11
    const [allowed] = await redis.eval(ENTER, 1, "hits", 2, 1000, randomUUID()); //@12
    if (allowed === 1) return true; //@13-16
    if (attempt === 1) await sleep(900); //@18
  }
  return false; //@17
}
