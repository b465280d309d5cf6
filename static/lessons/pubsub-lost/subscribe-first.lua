local news = connect("redis")
news:call("SUBSCRIBE", "job:7:done")
if redis.call("GET", "job:7") ~= "done" then
  waiting = true
  while not news:receive(1000) do end
end
served = true
