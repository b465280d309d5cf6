/** @param {import("ioredis").Redis} redis */
export async function deposit(redis) {
  let n = Number(await redis.get("balance")); //@1
  n = n + 10; //@2
  await redis.set("balance", n); //@3
}
