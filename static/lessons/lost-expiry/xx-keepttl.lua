local session = redis.call("GET", "session")
if session then
  redis.call("SET", "session", session .. ",seen", "XX", "KEEPTTL")
end
