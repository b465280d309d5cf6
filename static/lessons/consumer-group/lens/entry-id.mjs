const IDLE_MS = 60_000; // longer than any order takes

/**
 * One round of the consumer `me`, to be called in a loop, on a connection of its own: BLOCK holds up
 * every other command of the connection. `send` may be called twice for one id.
 * @param {import("ioredis").Redis} redis
 * @param {string} me
 * @param {(id: string, fields: string[]) => Promise<unknown>} send
 */
export async function work(redis, me, send) {
  const streams = await redis.xreadgroup(
    "GROUP", "mails", me, "COUNT", 1, "BLOCK", 1000, "STREAMS", "orders", ">"); //@3,6
  let entries = streams?.[0][1] ?? []; //@4
  if (entries.length === 0) { //@5
    entries = (await redis.xautoclaim("orders", "mails", me, IDLE_MS, "0", "COUNT", 1))[1]; //@7
  }
  for (const [id, fields] of entries) { //@9
    await send(id, fields); //@10
    await redis.xack("orders", "mails", id); //@11
  }
}
