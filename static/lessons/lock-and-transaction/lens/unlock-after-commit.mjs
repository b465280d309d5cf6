import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const UNLOCK = `
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("DEL", KEYS[1])
end
return 0`; //@1-4

/**
 * Throws also where the lock was lost: another client may have read the same n.
 * @param {import("ioredis").Redis} redis @param {import("mysql2/promise").Pool} db
 */
export async function sell(redis, db) {
  const me = randomUUID(); //@5
  const patience = performance.now() + 5000;
  while (!(await redis.set("lock:7", me, "PX", 30_000, "NX"))) { //@6
    if (performance.now() >= patience) throw new Error("the lock is taken, please try again");
    await sleep(30); //@6
  }
  let unlocked = 0;
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
    unlocked = await redis.eval(UNLOCK, 1, "lock:7", me); //@10
  }
  if (unlocked === 0) throw new Error("the lock was lost during the work");
}
