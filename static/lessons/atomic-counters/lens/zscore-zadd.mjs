/** @param {import("ioredis").Redis} redis */
export async function reward(redis) {
  const score = Number(await redis.zscore("board", "ada")); //@1
  await redis.zadd("board", score + 10, "ada"); //@2
}
