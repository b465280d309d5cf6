const PRIZES = 2;

/**
 * Resolves to the place of a winner, or to null.
 * @param {import("ioredis").Redis} redis
 */
export async function visit(redis) {
  const place = await redis.incr("visitors"); //@1
  return place <= PRIZES ? place : null; //@2-3
}
