/** @param {import("ioredis").Redis} redis */
export async function reward(redis) {
  // The score comes as a string.
  return Number(await redis.zincrby("board", 10, "ada")); //@1
}
