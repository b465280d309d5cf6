local got = redis.call("XREADGROUP", "GROUP", "live", "w", "COUNT", 1, "STREAMS", "events", ">")
if got then
  redis.call("INCR", "shown")
  acked = redis.call("XACK", "events", "live", got[1][2][1][1])
end
