if redis.call("SETNX", "lock:10.0.0.7", 1) == 1 then
  allowed_at = now()
end
