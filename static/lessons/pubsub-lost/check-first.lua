local news = connect("redis")
if redis.call("GET", "job:7") ~= "done" then
  news:call("SUBSCRIBE", "job:7:done")
  waiting = true
  while not news:receive(1000) do end
end
served = true
