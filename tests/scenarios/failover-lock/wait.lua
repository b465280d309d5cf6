local set = redis.pcall("SET", "lock", uuid(), "NX", "PX", 1000)
if set and set.ok then
  local copies = redis.pcall("WAIT", 1, 100)
  if copies == 1 then
    holding = true
    redis.pcall("INCR", "jobs")
    holding = false
  end
end
