local mine = redis.call("SETNX", "lock", "taken")
if mine == 1 then
  local stock = tonumber(redis.call("GET", "stock"))
  if stock > 0 then
    redis.call("SET", "stock", stock - 1)
    sold = 1
  end
end
redis.call("DEL", "lock")
