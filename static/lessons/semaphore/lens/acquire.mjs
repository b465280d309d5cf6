import { randomUUID } from "node:crypto";

const LIMIT = 2;
const LEASE_MS = 10_000;

/** @param {import("ioredis").Redis} redis @param {() => Promise<void>} work */
export async function tryWork(redis, work) {
  const id = randomUUID(); //@1
  await redis.zremrangebyscore("slots", "-inf", Date.now() - LEASE_MS); //@2
  await redis.zadd("slots", Date.now(), id); //@3
  try {
    const rank = await redis.zrank("slots", id); //@4
    if (rank === null || rank >= LIMIT) return false; //@4
    await work(); //@5-7
    return true;
  } finally {
    await redis.zrem("slots", id); //@9
  }
}
