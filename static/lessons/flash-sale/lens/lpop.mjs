/**
 * Resolves to the prize, or to null when all are gone.
 * @param {import("ioredis").Redis} redis
 */
export async function visit(redis) {
  return await redis.lpop("prizes"); //@1-3
}
