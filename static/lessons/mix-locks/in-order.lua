local function lock(name)
  while not redis.call("SET", "lock:" .. name, 1, "NX") do
    sleep(10)
  end
end
local order = redis.call("LPOP", "orders")
local from, to, amount = order:match("(%w+) (%w+) (%d+)")
lock(from < to and from or to)
lock(from < to and to or from)
local a = redis.call("GET", from)
local b = redis.call("GET", to)
redis.call("SET", from, a - amount)
redis.call("SET", to, b + amount)
redis.call("DEL", "lock:" .. from, "lock:" .. to)
