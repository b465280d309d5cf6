import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const UNLOCK = `
if redis.call("GET", KEYS[1]) == ARGV[1] then
  redis.call("DEL", KEYS[1])
end`; //@1-4

/** @param {import("ioredis").Redis} redis @param {import("mysql2/promise").Pool} db */
export async function sell(redis, db) {
  const me = randomUUID(); //@5
  while (!(await redis.set("lock:7", me, "PX", 30_000, "NX"))) await sleep(30); //@6
  try {
    const connection = await db.getConnection();
    try {
      await connection.beginTransaction();
      const [[{ n }]] = await connection.execute("SELECT n FROM item WHERE id = 7"); //@7
      await connection.execute("UPDATE item SET n = ? WHERE id = 7", [n - 1]); //@8
      await connection.commit();
    } catch (error) {
      await connection.rollback();
      throw error;
    } finally {
      connection.release(); // to the pool: the lock in Redis is still held
    }
  } finally {
    await redis.eval(UNLOCK, 1, "lock:7", me); //@10
  }
}
