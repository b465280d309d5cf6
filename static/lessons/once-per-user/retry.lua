-- What a library with automatic retries does: no reply, so it sends the command again.
local function send(...)
  local ok, reply = pcall(redis.call, ...)
  if ok then return reply end
  return redis.call(...)
end

if send("HSETNX", "requests", "ann", 1) == 1 then
  send("RPUSH", "coupons", "ann")
end
