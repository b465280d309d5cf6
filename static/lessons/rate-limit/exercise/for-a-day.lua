if redis.call("SET", "hits:10.0.0.7", 1, "NX", "EX", 86400) then
  allowed_at = now()
end
