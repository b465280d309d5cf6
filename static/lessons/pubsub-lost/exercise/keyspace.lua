redis.call("CONFIG", "SET", "notify-keyspace-events", "K$")
local news = connect("redis")
if redis.call("GET", "job:7") ~= "done" then
  news:call("SUBSCRIBE", "__keyspace@0__:job:7")
  while not news:receive(1000) do end
end
served = true
