import { setTimeout as sleep } from "node:timers/promises";

const LEASE_MS = 30_000; // longer than any job takes
const TAKE = `
for _, job in ipairs(redis.call("LRANGE", KEYS[2], 0, -1)) do
  if redis.call("SET", "lease:" .. job, 1, "NX", "PX", ARGV[1]) then return job end
end
local job = redis.call("LMOVE", KEYS[1], KEYS[2], "LEFT", "RIGHT")
if job then redis.call("SET", "lease:" .. job, 1, "PX", ARGV[1]) end
return job`; //@3-7

/**
 * Returns when no job is left. `send` may be called twice for one job.
 * @param {import("ioredis").Redis} redis
 * @param {(job: string) => Promise<unknown>} send
 */
export async function workOff(redis, send) {
  while ((await redis.exists("queue", "doing")) > 0) { //@17
    const job = await redis.eval(TAKE, 2, "queue", "doing", LEASE_MS); //@11
    if (job === null) {
      await sleep(1000); //@12
      continue;
    }
    try {
      await send(job); //@13
    } catch (error) {
      console.error(`${job} fails, and is taken again after its lease`, error);
      continue;
    }
    await redis.lrem("doing", 1, job); //@14
  }
}
