local limit = 1
local count = [[
  local hits = redis.call("INCR", KEYS[1])
  if hits == 1 then
    redis.call("EXPIRE", KEYS[1], ARGV[1])
  end
  return hits]]
local hits = redis.call("EVAL", count, 1, "hits:10.0.0.7", 1)
if hits <= limit then
  allowed_at = now()
end
