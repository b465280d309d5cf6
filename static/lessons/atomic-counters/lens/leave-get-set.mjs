/** @param {import("ioredis").Redis} redis */
export async function leave(redis) {
  const n = Number(await redis.get("room")); //@1
  await redis.set("room", n - 1); //@2
}
