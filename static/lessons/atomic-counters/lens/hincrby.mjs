/** @param {import("ioredis").Redis} redis */
export async function addApples(redis) {
  return await redis.hincrby("cart:7", "apples", 2); //@1
}
