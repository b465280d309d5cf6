/**
 * False where alice has too little, or her balance has changed in between. WATCH belongs to a
 * connection, so this needs one that no other request uses meanwhile: `redis.duplicate()`.
 * @param {import("ioredis").Redis} redis
 */
export async function pay(redis) {
  await redis.watch("alice"); //@1
  const alice = Number(await redis.get("alice")); //@2
  if (alice < 10) { //@3
    await redis.unwatch(); //@11
    return false;
  }
  // multi() queues in the client; exec() sends MULTI, the commands and EXEC. Null: refused.
  const done = await redis
    .multi() //@4
    .decrby("alice", 10) //@5
    .incrby("bob", 10) //@6
    .exec(); //@7
  return done !== null; //@8
}
