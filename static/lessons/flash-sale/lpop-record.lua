local first = redis.call("LPOP", "prizes")
if first then
  redis.call("RPUSH", "winners", first)
  prize = first
end
