local first = redis.call("LPOP", "prizes")
if first then
  prize = first
end
