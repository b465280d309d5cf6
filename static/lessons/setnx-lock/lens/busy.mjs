/** @param {import("ioredis").Redis} redis */
export async function sellNext(redis) {
  const item = await redis.lpop("orders"); //@1
  if ((await redis.setnx("lock", "1")) === 0) { //@2
    return "busy"; //@3-4
  }
  try { //@7
    const stock = await redis.get(item); //@8
    if (stock === null) throw new Error(`no stock of ${item}`);
    if (Number(stock) > 0) { //@9
      await redis.set(item, Number(stock) - 1); //@10
      return "sold"; //@11
    }
    return "sold out";
  } finally {
    await redis.del("lock"); //@14
  }
}
