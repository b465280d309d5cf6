local num = tonumber(redis.call("GET", "num"))
if num < 2 then
  redis.call("SET", "num", num + 1)
  registered = true
end
