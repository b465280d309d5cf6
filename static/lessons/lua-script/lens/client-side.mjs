/** @param {import("ioredis").Redis} redis */
export async function spend(redis) {
  const budget = Number(await redis.get("budget")); //@1
  if (budget >= 6) { //@2
    await redis.set("budget", budget - 6); //@3
    await redis.rpush("ledger", 6); //@4
    return 6; //@5
  }
  return 0;
}
