local num = sql("SELECT num FROM act WHERE act_id = 1")[1].num
if num < 2 then
  sql("UPDATE act SET num = num + 1 WHERE act_id = 1")
  registered = true
end
