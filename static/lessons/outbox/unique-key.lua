while true do
  local order = redis.call("LINDEX", "outbox", 0)
  if order then
    local ok, why = pcall(sql, "INSERT INTO orders VALUES (?, 'open')", order)
    if ok or why:find("Duplicate entry") then
      redis.call("LREM", "outbox", 1, order)
    end
  else
    sleep(10)
  end
end
