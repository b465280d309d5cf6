for n = 1, 3 do
  local t, b = now(), redis.call("HMGET", "bucket", "tokens", "at")
  local tokens = math.min(2, (b[1] or 2) + (t - (b[2] or t)) / 100)
  local ok = tokens >= 1
  redis.call("HSET", "bucket", "tokens", ok and tokens - 1 or tokens, "at", t)
  if ok then
    passed = (passed or 0) + 1
  else
    sleep(100)
    waited = true
  end
end
