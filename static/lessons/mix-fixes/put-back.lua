redis.call("SREM", "members", "ann")
if redis.call("SCARD", "members") == 0 then
  local notes = redis.call("SMEMBERS", "notes")
  redis.call("DEL", "notes")
  if redis.call("SCARD", "members") > 0 then
    redis.call("SADD", "notes", unpack(notes))
  end
end
