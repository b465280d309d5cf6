local num = sql("SELECT num FROM act WHERE act_id = 1")[1].num
local again = sql("SELECT num FROM act WHERE act_id = 1")[1].num
if again == num and num < 2 then
  sql("UPDATE act SET num = ? WHERE act_id = 1", num + 1)
  registered = true
end
