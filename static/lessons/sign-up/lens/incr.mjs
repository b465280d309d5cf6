const PLACES = 2;

/** @param {import("ioredis").Redis} redis */
export async function register(redis) {
  if ((await redis.incr("num")) <= PLACES) { //@1-2
    return true; //@3
  }
  await redis.decr("num"); //@5
  return false;
}
