/** @param {import("ioredis").Redis} redis */
export async function deposit(redis) {
  return await redis.incrby("balance", 10); //@1
}
