const BUY = `
local item = redis.call("HGET", KEYS[2], "wants")
local price = redis.call("ZSCORE", KEYS[1], item)
if not price then
  return false
end
redis.call("HINCRBY", KEYS[3], "funds", price)
redis.call("HINCRBY", KEYS[2], "funds", -price)
redis.call("SADD", KEYS[4], item)
redis.call("ZREM", KEYS[1], item)
return price`; //@2-12

/**
 * What the buyer has paid; null where the wanted item is not for sale.
 * @param {import("ioredis").Redis} redis @param {string} buyer
 */
export async function buy(redis, buyer) {
  const keys = ["market", buyer, "user:carol", `${buyer}:items`]; //@1
  const price = await redis.eval(BUY, keys.length, ...keys); //@13
  return price === null ? null : Number(price); //@14
}
