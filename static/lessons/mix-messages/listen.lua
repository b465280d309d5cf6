local map, news = connect("map"), connect("redis")
news:call("SUBSCRIBE", "changes")
local message = news:receive(1000)
while message do
  map:call("SET", "hours", message.payload)
  message = news:receive(1000)
end
