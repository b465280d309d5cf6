const IDLE_MS = 60_000; // longer than any order takes

/**
 * One round of the consumer `me`, to be called in a loop, on a connection of its own: BLOCK holds up
 * every other command of the connection. `send` may be called twice for one id.
 * @param {import("ioredis").Redis} redis
 * @param {string} me
 * @param {(id: string, fields: string[]) => Promise<unknown>} send
 */
export async function work(redis, me, send) {
  // Idle entries first: with a new one in every round they would never be claimed.
  let [, entries] = await redis.xautoclaim("orders", "mails", me, IDLE_MS, "0", "COUNT", 1); //@7
  if (entries.length === 0) { //@5
    const streams = await redis.xreadgroup(
      "GROUP", "mails", me, "COUNT", 1, "BLOCK", 1000, "STREAMS", "orders", ">"); //@3,6
    entries = streams?.[0][1] ?? []; //@4
  }
  for (const [id, fields] of entries) { //@9
    await send(id, fields); //@10
    await redis.xack("orders", "mails", id); //@11
  }
}
