local rows = sql("UPDATE act SET num = num + 1 WHERE act_id = 1 AND num < 2")
if rows == 1 then
  registered = true
end
