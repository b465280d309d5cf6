/**
 * The kept answer: "201" once there is an order, "409" while another request is at work.
 * @param {import("ioredis").Redis} redis
 * @param {() => Promise<unknown>} order
 */
export async function book(redis, order) {
  const claimed = await redis.set("tap:7", "working", "EX", 3600, "NX"); //@1
  if (claimed === null) {
    const answer = await redis.get("tap:7"); //@5
    return answer === "201" ? "201" : "409"; //@6
  }
  await order(); //@2
  await redis.set("tap:7", "201", "KEEPTTL", "XX"); //@3
  return "201";
}
