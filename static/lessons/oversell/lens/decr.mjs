/** @param {import("ioredis").Redis} redis */
export async function buy(redis) {
  const left = await redis.decr("stock"); //@1
  if (left >= 0) { //@2
    return true; //@3
  }
  await redis.incr("stock"); //@5
  return false;
}
