import { randomUUID } from "node:crypto";

const LIMIT = 2;
const ENTER = `
local owners, times, tickets = KEYS[1], KEYS[2], KEYS[3]
redis.call("ZREMRANGEBYSCORE", times, "-inf", ARGV[1] - 10000)
redis.call("ZINTERSTORE", owners, 2, owners, times, "WEIGHTS", 1, 0)
local ticket = redis.call("INCR", tickets)
redis.call("ZADD", times, ARGV[1], ARGV[2])
redis.call("ZADD", owners, ticket, ARGV[2])
return redis.call("ZRANK", owners, ARGV[2])`; //@1-8

/**
 * False where no slot was free. Throws where the slot was lost during the work.
 * @param {import("ioredis").Redis} redis @param {() => Promise<void>} work
 */
export async function tryWork(redis, work) {
  const id = randomUUID(); //@9
  const rank = await redis.eval(ENTER, 3, "owners", "times", "tickets", Date.now(), id); //@10
  const entered = rank < LIMIT; //@10
  let freed = 0;
  try {
    if (entered) await work(); //@11-13
  } finally {
    await redis.zrem("owners", id); //@15
    freed = await redis.zrem("times", id); //@16
  }
  if (entered && freed === 0) throw new Error("the slot was lost during the work");
  return entered;
}
