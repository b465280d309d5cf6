const LIMIT = 1; //@1
const COUNT = `
local hits = redis.call("INCR", KEYS[1])
if hits == 1 then
  redis.call("EXPIRE", KEYS[1], ARGV[1])
end
return hits`; //@2-7

/** @param {import("ioredis").Redis} redis */
export async function allows(redis) {
  const hits = await redis.eval(COUNT, 1, "hits:10.0.0.7", 1); //@8
  return hits <= LIMIT; //@9-11
}
