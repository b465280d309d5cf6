repeat
  local n = redis.call("INCR", "last")
  if pcall(sql, "INSERT INTO doc VALUES (?)", n) then
    number = n
  end
until number
