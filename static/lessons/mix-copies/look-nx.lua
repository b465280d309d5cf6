shown = redis.call("GET", "voucher:7")
if not shown then
  local row = sql("SELECT value FROM voucher WHERE code = 7")[1]
  shown = row and row.value or "none"
  redis.call("SET", "voucher:7", shown, "NX")
end
