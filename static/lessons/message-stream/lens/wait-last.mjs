/**
 * Waits a minute at most until job 7 is done, on a connection of its own: BLOCK holds up every other
 * command of the connection. Resolves to the number of entries that were read.
 * @param {import("ioredis").Redis} redis
 */
export async function wait(redis) {
  let [last, seen, done] = ["0", 0, false]; //@1-2
  const patience = performance.now() + 60_000;
  while (!done) { //@3
    if (performance.now() >= patience) throw new Error("job 7 is not done within a minute");
    const streams = await redis.xread("BLOCK", 1000, "STREAMS", "job:7", last); //@4
    for (const [id, fields] of streams?.[0][1] ?? []) { //@5
      last = id; //@6
      seen += 1; //@7
      done = fields[1] === "done"; //@8
    }
  }
  return seen; //@10
}
