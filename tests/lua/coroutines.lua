--- yield and resume
local co = coroutine.create(function(a, b)
  print("start", a, b)
  local c = coroutine.yield(a + b)
  print("got", c)
  local d, e = coroutine.yield(c * 2)
  print("got", d, e)
  return "end", d + e
end)
print(coroutine.resume(co, 1, 2))
print(coroutine.status(co))
print(coroutine.resume(co, 10))
print(coroutine.resume(co, 3, 4))
print(coroutine.status(co))
print(coroutine.resume(co))
--- wrap
local gen = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end return "last" end)
print(gen(), gen(), gen(), gen())
print(pcall(gen))
for i in coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i, i * i) end end) do print(i) end
--- errors inside
local co = coroutine.create(function() error("oops") end)
print(coroutine.resume(co))
print(coroutine.status(co), coroutine.resume(co))
co = coroutine.create(function() error({ code = 5 }) end)
local ok, e = coroutine.resume(co)
print(ok, type(e), e.code)
local w = coroutine.wrap(function() error("in wrap") end)
print(pcall(w))
w = coroutine.wrap(function() local x; x.y = 1 end)
print(pcall(function() w() end))
w = coroutine.wrap(function() error({}) end)
print(type(select(2, pcall(w))))
--- status
local co
co = coroutine.create(function()
  print(coroutine.status(co), coroutine.running() == co)
  local inner = coroutine.create(function() print(coroutine.status(co)) print(coroutine.resume(co)) end)
  coroutine.resume(inner)
  print(coroutine.resume(co))
  coroutine.yield()
end)
print(coroutine.status(co), coroutine.running())
coroutine.resume(co)
print(coroutine.status(co))
coroutine.resume(co)
print(coroutine.status(co))
--- yield across pcall is refused
local co = coroutine.create(function() return pcall(coroutine.yield, 1) end)
print(coroutine.resume(co))
co = coroutine.create(function() return pcall(function() coroutine.yield(1) end) end)
print(coroutine.resume(co))
co = coroutine.create(function() for x in function() return coroutine.yield(1) end do end end)
print(coroutine.resume(co))
co = coroutine.create(function() return ("x"):gsub(".", function() coroutine.yield() end) end)
print(coroutine.resume(co))
print(pcall(coroutine.yield, 1))
print(coroutine.resume(coroutine.create(function() return tostring(setmetatable({}, { __tostring = function() coroutine.yield() end })) end)))
--- yield at top level
coroutine.yield(1)
--- passing values
local co = coroutine.wrap(function(...)
  local args = { ... }
  while true do args = { coroutine.yield(#args, unpack(args)) } end
end)
print(co(1, 2, 3)) print(co()) print(co(nil, nil)) print(co("a"))
--- generators and filters
local function gen(n) return coroutine.wrap(function() for i = 2, n do coroutine.yield(i) end end) end
local function filter(p, g) return coroutine.wrap(function() while true do local n = g() if n == nil then return end if n % p ~= 0 then coroutine.yield(n) end end end) end
local x = gen(50)
local primes = {}
while true do local n = x() if n == nil then break end primes[#primes + 1] = n x = filter(n, x) end
print(table.concat(primes, " "))
--- permutations
local function permgen(a, n) n = n or #a if n <= 1 then coroutine.yield(a) else for i = 1, n do a[n], a[i] = a[i], a[n] permgen(a, n - 1) a[n], a[i] = a[i], a[n] end end end
for p in coroutine.wrap(function() permgen({ 1, 2, 3 }) end) do print(table.concat(p, " ")) end
--- upvalues of suspended coroutines
local function make()
  local n = 0
  local co = coroutine.wrap(function() while true do n = n + 1 coroutine.yield(n) end end)
  return co, function() n = n + 100 return n end
end
local co, bump = make()
print(co(), bump(), co(), bump())
local set
local co2 = coroutine.wrap(function() local v = 1 set = function(x) v = x end while true do coroutine.yield(v) end end)
print(co2()) set(42) print(co2())
--- nested resume
local function level(n) return coroutine.wrap(function() if n > 0 then local c = level(n - 1) for v in c do coroutine.yield(v + 1) end end coroutine.yield(n) end) end
for v in level(5) do print(v) end
--- return from nested call in a coroutine
local co = coroutine.create(function() local function f(x) if x > 3 then return "f" .. coroutine.yield(x) end return f(x + 1) end return f(1) end)
print(coroutine.resume(co)) print(coroutine.resume(co, "!")) print(coroutine.resume(co))
--- producer and consumer
local function producer() return coroutine.create(function() for i = 1, 4 do coroutine.yield("item " .. i) end end) end
local function consumer(p) local out = {} while true do local ok, v = coroutine.resume(p) if not v then break end out[#out + 1] = v end return table.concat(out, ",") end
print(consumer(producer()))
--- resume of a dead or wrong value
print(pcall(coroutine.resume)) print(pcall(coroutine.status, 1)) print(pcall(coroutine.wrap, 1)) print(pcall(coroutine.create, tostring))
local co = coroutine.create(function() end)
coroutine.resume(co)
print(coroutine.resume(co)) print(coroutine.resume(co, 1, 2))
--- coroutines inside pcall inside coroutines
local co = coroutine.wrap(function()
  local ok, v = pcall(function() local c = coroutine.wrap(function() coroutine.yield("inner") error("late", 0) end) return c() .. c() end)
  coroutine.yield(tostring(ok) .. v)
  return "done"
end)
print(co(), co())
--- running
print(coroutine.running())
print(coroutine.wrap(function() return type(coroutine.running()) end)())
--- many coroutines
local cos = {}
for i = 1, 100 do cos[i] = coroutine.wrap(function() local s = 0 while true do s = s + coroutine.yield(s + i) end end) cos[i]() end
local total = 0
for r = 1, 10 do for i = 1, 100 do total = total + cos[i](r) end end
print(total)
--- garbage in coroutines
for i = 1, 5000 do local c = coroutine.create(function() local t = {} coroutine.yield(t) end) coroutine.resume(c) end
print("ok")
--- wrap error position
local w = coroutine.wrap(function() error("e1") end)
local function call() w() end
print(pcall(call))
w = coroutine.wrap(function() error("e2", 0) end)
print(pcall(call))
w = coroutine.wrap(function() return 1 end)
w()
print(pcall(call))
--- error through two coroutines
local outer = coroutine.create(function() local inner = coroutine.wrap(function() error("deep") end) inner() end)
print(coroutine.resume(outer))
--- yield in a tail call and vararg
local co = coroutine.wrap(function(...) return coroutine.yield(...) end)
print(co(1, 2, 3)) print(co(4, 5))
