/**
 * False where another request of this user came first.
 * @param {import("ioredis").Redis} redis
 */
export async function give(redis) {
  const first = (await redis.hsetnx("requests", "ann", 1)) === 1; //@1
  if (first) { //@2
    await redis.rpush("coupons", "ann"); //@3
  }
  return first;
}
