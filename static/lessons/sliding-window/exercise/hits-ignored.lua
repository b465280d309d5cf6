if redis.call("SETNX", "first", 1) == 1 then
  allowed_at = now()
else
  sleep(900)
  allowed_at = now()
end
