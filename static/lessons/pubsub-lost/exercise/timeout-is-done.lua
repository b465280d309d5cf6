local news = connect("redis")
news:call("SUBSCRIBE", "job:7:done")
if redis.call("GET", "job:7") ~= "done" then
  news:receive(1000)
end
served = true
