/** @param {import("ioredis").Redis} redis */
export async function addApples(redis) {
  const n = Number(await redis.hget("cart:7", "apples")); //@1
  await redis.hset("cart:7", "apples", n + 2); //@2
}
