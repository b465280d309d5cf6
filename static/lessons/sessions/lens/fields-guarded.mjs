import { randomUUID } from "node:crypto";

const ADD = `
if redis.call("EXISTS", KEYS[1]) == 0 then
  return 0
end
redis.call("HSET", KEYS[1], ARGV[1], 1)
return 1`; //@1-6

/**
 * Resolves to the item, or to null where the session has ended: ask the user to log in.
 * @param {import("ioredis").Redis} redis
 */
export async function addItem(redis) {
  const item = randomUUID(); //@7
  const added = await redis.eval(ADD, 1, "session:7", `item:${item}`); //@8
  return added === 1 ? item : null; //@9
}
