import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

/** @param {import("ioredis").Redis} redis */
export async function run(redis) {
  const me = randomUUID(); //@1
  while ((await redis.set("lock", me, "PX", 10_000, "NX")) === null) { //@2
    await sleep(10); //@3
  }
  try {
    await redis.incr("jobs"); //@6
  } finally {
    await redis.getdel("lock"); //@8
  }
}
