const CLEAN = `
for _, group in ipairs(redis.call("XINFO", "GROUPS", KEYS[1])) do
  if group[2] == ARGV[1] and group[6] == 0 then
    return redis.call("XGROUP", "DESTROY", KEYS[1], ARGV[1])
  end
end
return 0`; //@1-4

/**
 * False where an entry is pending, or the group is gone.
 * @param {import("ioredis").Redis} redis
 */
export async function removeIfIdle(redis) {
  return (await redis.eval(CLEAN, 1, "events", "live")) === 1; //@5
}
