while true do
  local order = redis.call("LINDEX", "outbox", 0)
  if order then
    sql("INSERT INTO orders VALUES (?, 'open')", order)
    redis.call("LREM", "outbox", 1, order)
  else
    sleep(10)
  end
end
