local news = connect("redis")
news:call("SUBSCRIBE", "job:7:done")
while redis.call("GET", "job:7") ~= "done" do
  if not news:receive(1000) then
    -- The same proxy and the same library.
    news:call("UNSUBSCRIBE", "job:7:done")
    news:call("SUBSCRIBE", "job:7:done")
  end
end
served = true
