synchronized("stock", function()
  local left = sql("SELECT num FROM stock WHERE id = 1")[1].num
  if left > 0 then
    sql("UPDATE stock SET num = ? WHERE id = 1", left - 1)
    sold = 1
  end
end)
