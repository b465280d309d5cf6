local disk = resource("disk")
while not redis.call("SET", "lock", "x", "NX", "PX", 30) do
  sleep(20)
end
local token = redis.call("INCR", "tokens")
written = disk:write(token)
