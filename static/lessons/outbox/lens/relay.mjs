/**
 * Returns when no note is left. A scheduler calls it again a second later.
 * @param {import("ioredis").Redis} redis
 * @param {import("mysql2/promise").Pool} db
 */ //@9
export async function relay(redis, db) {
  let order;
  while ((order = await redis.lindex("outbox", 0)) !== null) { //@2-3
    try {
      await db.execute("INSERT INTO orders VALUES (?, 'open')", [order]); //@4
    } catch (error) {
      if (error.code !== "ER_DUP_ENTRY") throw error; //@5
    }
    await redis.lrem("outbox", 1, order); //@6
  }
}
