local session = redis.call("GET", "session")
local left = redis.call("PTTL", "session")
redis.call("SET", "session", session .. ",dark")
if redis.call("PTTL", "session") == -1 then
  redis.call("PEXPIRE", "session", left)
end
