const IDLE_MS = 60_000; // longer than any order takes
const DELETE = `
if #redis.call("XPENDING", KEYS[1], "mails", "-", "+", 1, ARGV[1]) == 0 then
  return redis.call("XGROUP", "DELCONSUMER", KEYS[1], "mails", ARGV[1])
end
return false`; //@1-5

/**
 * To be called each minute, by each worker. `work` may be called twice for one id.
 * @param {import("ioredis").Redis} redis
 * @param {string} me
 * @param {(id: string) => Promise<unknown>} work
 */
export async function takeOver(redis, me, work) { //@6
  for (const [id] of await redis.xpending("orders", "mails", "IDLE", IDLE_MS, "-", "+", 10)) { //@7
    const claimed = await redis.xclaim("orders", "mails", me, IDLE_MS, id); //@8
    if (claimed.length === 0) continue; //@9
    await work(id); //@10
    await redis.xack("orders", "mails", id); //@11
  }
  for (const consumer of await redis.xinfo("CONSUMERS", "orders", "mails")) { //@14
    const name = consumer[consumer.indexOf("name") + 1];
    const idle = consumer[consumer.indexOf("idle") + 1]; //@15
    if (idle >= IDLE_MS) await redis.eval(DELETE, 1, "orders", name); //@16-17
  }
}
