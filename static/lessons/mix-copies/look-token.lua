local fill = [[
  if redis.call("GET", KEYS[1]) == ARGV[1] then
    redis.call("SET", KEYS[1], ARGV[2])
  end]]
local token = "fill-" .. uuid()
shown = redis.call("SET", "voucher:7", token, "NX", "GET")
if not shown or shown:sub(1, 5) == "fill-" then
  local mine = not shown
  local row = sql("SELECT value FROM voucher WHERE code = 7")[1]
  shown = row and row.value or "none"
  if mine then
    redis.call("EVAL", fill, 1, "voucher:7", token, shown)
  end
end
