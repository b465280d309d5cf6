import { randomUUID } from "node:crypto";

const FILL = `
if redis.call("GET", KEYS[2]) == ARGV[2] then
  redis.call("SET", KEYS[1], ARGV[1], "PX", 1000)
  redis.call("DEL", KEYS[2])
  return 1
end
return 0`; //@1-7

/** @param {import("ioredis").Redis} redis @param {() => Promise<number>} selectPrice */
export async function read(redis, selectPrice) {
  const cached = await redis.get("price:7"); //@8
  if (cached !== null) return Number(cached); //@9
  const token = randomUUID(); //@10
  const mine = await redis.set("lease:7", token, "PX", 10_000, "NX"); //@11
  const price = await selectPrice(); //@12
  if (mine === "OK") { //@13
    await redis.eval(FILL, 2, "price:7", "lease:7", price, token); //@14
  } //@15
  return price; //@16-17
}
