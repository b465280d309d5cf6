/** @param {import("ioredis").Redis} redis */
export async function enter(redis) {
  return await redis.incr("room"); //@1
}
