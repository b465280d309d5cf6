--- lock release
-- KEYS lock
-- ARGV token 1000
redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", ARGV[2])
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("DEL", KEYS[1])
else
  return 0
end
--- lock release by another
-- KEYS lock
-- ARGV mine
redis.call("SET", KEYS[1], "theirs")
if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end
--- re-entrant lock
-- KEYS lock
-- ARGV 30000 client:1
if (redis.call('exists', KEYS[1]) == 0) then
  redis.call('hincrby', KEYS[1], ARGV[2], 1);
  redis.call('pexpire', KEYS[1], ARGV[1]);
  return nil;
end;
if (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then
  redis.call('hincrby', KEYS[1], ARGV[2], 1);
  redis.call('pexpire', KEYS[1], ARGV[1]);
  return nil;
end;
return redis.call('hlen', KEYS[1]);
--- re-entrant unlock
-- KEYS lock channel
-- ARGV 0 30000 client:1
redis.call('hset', KEYS[1], ARGV[3], 2)
if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then
  return nil;
end;
local counter = redis.call('hincrby', KEYS[1], ARGV[3], -1);
if (counter > 0) then
  redis.call('pexpire', KEYS[1], ARGV[2]);
  return 0;
else
  redis.call('del', KEYS[1]);
  redis.call('publish', KEYS[2], ARGV[1]);
  return 1;
end;
return nil;
--- fixed window
-- KEYS rate
-- ARGV 10 1
local current = redis.call("INCR", KEYS[1])
if current == 1 then redis.call("EXPIRE", KEYS[1], ARGV[1]) end
if current > tonumber(ARGV[2]) then return {0, current, redis.call("TTL", KEYS[1])} end
return {1, current, redis.call("TTL", KEYS[1])}
--- sliding window
-- KEYS window
-- ARGV 100000 60000 3
local now, width, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call("ZADD", KEYS[1], 1, "old", 50000, "recent")
redis.call("ZREMRANGEBYSCORE", KEYS[1], 0, now - width)
local count = redis.call("ZCARD", KEYS[1])
if count < limit then
  redis.call("ZADD", KEYS[1], now, now .. ":" .. count)
  redis.call("PEXPIRE", KEYS[1], width)
  return {1, limit - count - 1, redis.call("ZRANGE", KEYS[1], 0, -1)}
end
return {0, 0}
--- token bucket
-- KEYS bucket
-- ARGV 10 0.5 1000.5 3
local capacity, rate, now, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local state = redis.call("HMGET", KEYS[1], "tokens", "time")
local tokens, last = tonumber(state[1]) or capacity, tonumber(state[2]) or now
tokens = math.min(capacity, tokens + math.max(0, now - last) * rate)
local allowed = tokens >= wanted
if allowed then tokens = tokens - wanted end
redis.call("HSET", KEYS[1], "tokens", tokens, "time", now)
redis.call("EXPIRE", KEYS[1], math.ceil(capacity / rate) * 2)
return {allowed and 1 or 0, tostring(tokens), redis.call("HGET", KEYS[1], "tokens")}
--- semaphore
-- KEYS semaphore
-- ARGV 2 100 10
local limit, now, ttl = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", now)
local owners = {}
for i = 1, 3 do
  if redis.call("ZCARD", KEYS[1]) < limit then
    redis.call("ZADD", KEYS[1], now + ttl, "owner" .. i)
    owners[#owners + 1] = i
  end
end
return owners
--- compare and set
-- KEYS a
-- ARGV old new
redis.call("SETNX", KEYS[1], ARGV[1])
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return false end
redis.call("SET", KEYS[1], ARGV[2])
return true
--- transfer
-- KEYS from to
-- ARGV 30
redis.call("SETNX", KEYS[1], 100) redis.call("SETNX", KEYS[2], 5)
local balance = tonumber(redis.call("GET", KEYS[1]))
local amount = tonumber(ARGV[1])
if balance < amount then return redis.error_reply("INSUFFICIENT balance " .. balance) end
redis.call("DECRBY", KEYS[1], amount) redis.call("INCRBY", KEYS[2], amount)
return {redis.call("GET", KEYS[1]), redis.call("GET", KEYS[2])}
--- stock
-- KEYS stock orders
-- ARGV user1
redis.call("SETNX", KEYS[1], 1)
if tonumber(redis.call("get", KEYS[1])) <= 0 then return 1 end
if redis.call("sismember", KEYS[2], ARGV[1]) == 1 then return 2 end
redis.call("incrby", KEYS[1], -1)
redis.call("sadd", KEYS[2], ARGV[1])
redis.call("xadd", "stream.orders", "1-1", "userId", ARGV[1])
return 0
--- a json document
-- KEYS doc
-- ARGV {"a":{"b":[1,2,3]}}
local doc = cjson.decode(ARGV[1])
doc.a.b[#doc.a.b + 1] = 4
doc.a.c = "new"
redis.call("SET", KEYS[1], cjson.encode(doc.a.b))
return {redis.call("GET", KEYS[1]), redis.call("STRLEN", KEYS[1])}
--- priority queue
-- KEYS queue
redis.call("ZADD", KEYS[1], 3, "c", 1, "a", 2, "b")
local r = redis.call("ZRANGEBYSCORE", KEYS[1], "-inf", "+inf", "LIMIT", 0, 2)
for _, item in ipairs(r) do redis.call("ZREM", KEYS[1], item) end
return {r, redis.call("ZCARD", KEYS[1])}
--- errors stop half way
-- KEYS a b
redis.call("SET", KEYS[1], "text")
redis.call("INCR", KEYS[2])
redis.call("INCR", KEYS[1])
redis.call("INCR", KEYS[2])
--- errors caught
-- KEYS a
redis.call("SET", KEYS[1], "text")
local r = redis.pcall("INCR", KEYS[1])
if r.err then return "caught: " .. r.err end
return r
--- errors on a later line
local x = 1

local function inner()
  return x + nil
end
return inner()
