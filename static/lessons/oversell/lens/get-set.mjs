/** @param {import("ioredis").Redis} redis */
export async function buy(redis) {
  const stock = Number(await redis.get("stock")); //@1
  if (stock > 0) { //@2
    await redis.set("stock", stock - 1); //@3
    return true; //@4
  }
  return false;
}
