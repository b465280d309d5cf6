import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const ACQUIRE = `
if redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", 10000) then
  return redis.call("INCR", KEYS[2])
end
return nil`; //@1-5
const RELEASE = `
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("DEL", KEYS[1])
end
return 0`; //@6-10
const UPDATE = "UPDATE doc SET body = ?, token = ? WHERE id = 1 AND token <= ?"; //@11

/**
 * False where a newer report is there already.
 * @param {import("ioredis").Redis} redis @param {string} body
 * @param {import("mysql2/promise").Pool} db
 */
export async function write(redis, body, db) {
  const me = randomUUID(); //@13
  const patience = performance.now() + 5000;
  let token;
  while ((token = await redis.eval(ACQUIRE, 2, "lock", "fence", me)) === null) { //@14-16
    if (performance.now() >= patience) throw new Error("the lock is taken, please try again");
    await sleep(30); //@17
  }
  try {
    await db.execute(UPDATE, ["draft", token, token]); //@22
    const [{ affectedRows }] = await db.execute(UPDATE, [body, token, token]); //@23
    return affectedRows === 1; //@24-25
  } finally {
    // If the lock was lost, this does nothing: the row has refused a late write.
    await redis.eval(RELEASE, 1, "lock", me); //@27
  }
}
