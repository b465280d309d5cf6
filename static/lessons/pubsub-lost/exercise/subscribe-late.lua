local news = connect("redis")
if redis.call("GET", "job:7") ~= "done" then
  news:call("SUBSCRIBE", "job:7:done")
  while redis.call("GET", "job:7") ~= "done" do
    news:receive(1000)
  end
end
served = true
