local news = connect("redis")
news:call("SUBSCRIBE", "job:7:done")
if redis.call("GET", "job:7") ~= "done" then
  waiting = true
  while not news:receive(1000) do
    -- A proxy cuts silent connections, which ends the subscription. The library subscribes again.
    news:call("UNSUBSCRIBE", "job:7:done")
    news:call("SUBSCRIBE", "job:7:done")
  end
end
served = true
