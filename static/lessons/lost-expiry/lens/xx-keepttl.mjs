/** False where the session has ended. @param {import("ioredis").Redis} redis */
export async function noteSeen(redis) {
  const session = await redis.get("session"); //@1
  if (session === null) return false;
  // null where the key is gone, and "OK" otherwise.
  return (await redis.set("session", `${session},seen`, "KEEPTTL", "XX")) === "OK"; //@3
}
