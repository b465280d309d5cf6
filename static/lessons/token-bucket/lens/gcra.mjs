import { setTimeout as sleep } from "node:timers/promises";

const TAKE = `
local s = redis.call("TIME")
local t = s[1] * 1000 + math.floor(s[2] / 1000)
local full = math.max(tonumber(redis.call("GET", KEYS[1]) or t), t) + 100
if full - t > 200 then return full - t - 200 end
redis.call("SET", KEYS[1], full, "PX", full - t)
return 0`; //@1-7

/** @param {import("ioredis").Redis} redis */
export async function allow(redis) {
  for (let attempt = 0; attempt < 3; attempt++) { //@8
    const wait = await redis.eval(TAKE, 1, "full"); //@9
    if (wait === 0) return true; //@10-11
    await sleep(wait); //@13-14
  }
  return false;
}
