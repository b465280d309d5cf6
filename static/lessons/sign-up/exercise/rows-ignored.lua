local num = sql("SELECT num FROM act WHERE act_id = 1")[1].num
if num < 2 then
  sql("UPDATE act SET num = ? WHERE act_id = 1 AND num = ?", num + 1, num)
  registered = true
end
