/** @param {import("ioredis").Redis} redis */
export async function leave(redis) {
  return await redis.decr("room"); //@1
}
