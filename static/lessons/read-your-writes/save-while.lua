redis.call("SET", "order:7", 2)
local saved_ms = now()
local function reload()
  source = now() < saved_ms + 30 and "redis" or "r1"
  shown = connect(source):call("GET", "order:7")
end
reload()
sleep(50)
reload()
