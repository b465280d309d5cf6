import { setTimeout as sleep } from "node:timers/promises";

const PAY = `
local kept = redis.call("GET", KEYS[1])
if kept then return kept end
redis.call("DECRBY", KEYS[2], 10)
redis.call("SET", KEYS[1], ARGV[1], "PX", 86400000)
return ARGV[1]`; //@7-13

/**
 * Resolves to the receipt. Rejects where no attempt was answered: it may be paid, so ask again
 * later, with the same id.
 * @param {import("ioredis").Redis} redis
 * @param {string} request its one id, drawn before the first attempt
 */
export async function pay(redis, request) {
  for (let attempt = 1; ; attempt++) { //@1
    try {
      return await redis.eval(PAY, 2, `paid:${request}`, "balance", request); //@2-4,14
    } catch (error) {
      // What Redis itself refuses is no lost reply.
      if (error.name === "ReplyError" || attempt === 3) throw error;
      await sleep(200 * attempt);
    }
  }
}
