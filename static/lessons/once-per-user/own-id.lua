-- The field keeps the id of the request that was first; a repetition finds its own id.
local function send(...)
  local ok, reply = pcall(redis.call, ...)
  if ok then return reply end
  return redis.call(...)
end

local id = uuid()
local give = [[
  if redis.call("HSETNX", KEYS[1], "ann", ARGV[1]) == 1 then
    redis.call("RPUSH", KEYS[2], "ann")
  end
  return redis.call("HGET", KEYS[1], "ann")]]
got = send("EVAL", give, 2, "requests", "coupons", id) == id
