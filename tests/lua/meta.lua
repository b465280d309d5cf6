--- arithmetic metamethods
local mt = {}
local function o(v) return setmetatable({ v = v }, mt) end
local function val(x) return type(x) == "table" and x.v or x end
for _, op in ipairs({ "add", "sub", "mul", "div", "mod", "pow", "concat" }) do
  mt["__" .. op] = function(a, b) return op .. "(" .. val(a) .. "," .. val(b) .. ")" end
end
mt.__unm = function(a, b) return "unm(" .. a.v .. "," .. tostring(rawequal(a, b)) .. ")" end
local a, b = o(1), o(2)
print(a + b, a + 1, 1 + a, a - b, a * b, a / b, a % b, a ^ b, -a)
print(a .. b, a .. "x", "x" .. a, 1 .. a, a .. 1)
print("x" .. "y" .. a, a .. "x" .. "y", "p" .. a .. "q", 1 .. 2 .. a .. 3 .. 4)
print(a + "5", "5" + a)
--- concat chains
local log = {}
local mt = { __concat = function(a, b)
  local function s(x) return type(x) == "table" and "<" .. x.n .. ">" or tostring(x) end
  log[#log + 1] = s(a) .. "&" .. s(b)
  return s(a) .. s(b)
end }
local x, y = setmetatable({ n = "x" }, mt), setmetatable({ n = "y" }, mt)
print(x .. y, x .. y .. x, "a" .. x .. "b" .. y .. "c", 1 .. x .. 2)
print(table.concat(log, " "))
log = {}
print("1" .. "2" .. x .. "3" .. "4" .. y .. "5" .. "6")
print(table.concat(log, " "))
print(pcall(function() return x .. nil end))
print(pcall(function() return {} .. "x" end))
--- comparison metamethods
local log = {}
local mt = {
  __eq = function(a, b) log[#log + 1] = "eq" return a.v == b.v end,
  __lt = function(a, b) log[#log + 1] = "lt" return a.v < b.v end,
  __le = function(a, b) log[#log + 1] = "le" return a.v <= b.v end,
}
local function o(v) return setmetatable({ v = v }, mt) end
print(o(1) == o(1), o(1) ~= o(2), o(1) < o(2), o(2) <= o(1), o(1) > o(2), o(1) >= o(1))
local a = o(1)
print(a == a, a ~= a, rawequal(o(1), o(1)), a == 1, 1 == a)
print(table.concat(log, " "))
if o(1) < o(2) and not (o(3) < o(2)) then print("branch") end
local r = o(1) < o(2)
print(r, not (o(1) == o(1)))
while o(1) == o(2) do print("never") end
print(o(1) == o(1) and "yes" or "no")
mt.__le = nil
print(o(1) <= o(2), o(2) <= o(1), o(1) >= o(2))
mt.__lt = function() return nil end
print(o(1) < o(2), o(1) <= o(2))
mt.__lt = function() return 1 end
print(o(1) < o(2), o(1) <= o(2))
local other = setmetatable({ v = 1 }, { __eq = mt.__eq })
print(o(1) == other, o(1) == setmetatable({ v = 1 }, { __eq = function() return true end }))
print(pcall(function() return o(1) < setmetatable({}, { __lt = print }) end))
print(pcall(function() return o(1) < 1 end))
print(pcall(function() return {} < o(1) end))
--- index metamethods
local t = setmetatable({ own = 1 }, { __index = function(t, k) return k .. "!" end })
print(t.own, t.other, t[1], rawget(t, "other"))
local base = { inherited = "yes" }
local mid = setmetatable({ m = "mid" }, { __index = base })
local obj = setmetatable({}, { __index = mid })
print(obj.inherited, obj.m, obj.none)
obj.inherited = "own"
print(obj.inherited, base.inherited)
local s = setmetatable({}, { __index = "abc" })
print(s.len == string.len, s.upper == string.upper)
print(pcall(function() return setmetatable({}, { __index = 5 }).x end))
print(pcall(function() return setmetatable({}, { __index = true }).x end))
local d = setmetatable({}, { __index = function(t, k) local v = k * 2 rawset(t, k, v) return v end })
print(d[5], rawget(d, 5), d[5])
print(setmetatable({}, { __index = function() return 1, 2, 3 end }).x)
print(setmetatable({}, { __index = function() end }).x)
print(setmetatable({}, { __index = type }).x)
print(setmetatable({}, { __index = rawget }).x)
print(setmetatable({}, { __index = setmetatable({}, { __index = function(_, k) return "far " .. k end }) }).x)
--- newindex metamethods
local log = {}
local t = setmetatable({ own = 1 }, { __newindex = function(t, k, v) log[#log + 1] = tostring(k) .. "=" .. tostring(v) rawset(t, k, v) end })
t.own = 2 t.new = 3 t.new = 4 t[1] = 5
print(table.concat(log, " "), t.own, t.new, t[1])
local store = {}
local p = setmetatable({}, { __newindex = store })
p.x = 1
print(rawget(p, "x"), store.x)
print(pcall(function() setmetatable({}, { __newindex = 5 }).x = 1 end))
local ro = setmetatable({}, { __newindex = function(t, k) error("read-only " .. k, 2) end })
print(pcall(function() ro.x = 1 end))
t.z = nil
print(#log)
--- call metamethods
local c = setmetatable({}, { __call = function(self, ...) return select("#", ...), ... end })
print(c(), c(1), c(1, nil))
print(pcall(c, 5))
local cc = setmetatable({}, { __call = c })
print(pcall(cc, 1))
print(pcall(setmetatable({}, { __call = 5 })))
print(select(2, c("a", "b")))
local function tail(...) return c(...) end
print(tail(1, 2, 3))
for i in setmetatable({}, { __call = function(self, s, i) i = (i or 0) + 1 if i <= 2 then return i end end }) do print(i) end
local o = { m = setmetatable({}, { __call = function(self, obj, x) return obj.v, x end }), v = 7 }
print(o:m(8))
--- tostring and metatable fields
local t = setmetatable({}, { __tostring = function(t) return "custom" end })
print(tostring(t), t == t)
print(tostring(setmetatable({}, { __tostring = function() return 5 end })))
print(pcall(tostring, setmetatable({}, { __tostring = 5 })))
print(getmetatable(setmetatable({}, { __metatable = "locked" })))
print(pcall(setmetatable, setmetatable({}, { __metatable = 1 }), {}))
print(getmetatable("x").__index == string, getmetatable(1), getmetatable(print))
print(type(setmetatable({}, nil)), "x")
--- length of a table ignores metamethods
print(#setmetatable({ 1, 2 }, { __len = function() return 99 end }))
--- metamethods from inside coroutines and pcall
local mt = { __add = function(a, b) return coroutine.running() ~= nil and "in co" or "main" end }
local x = setmetatable({}, mt)
print(x + 1)
print(coroutine.wrap(function() return x + 1 end)())
mt.__index = function(t, k) error("no " .. k, 2) end
print(pcall(function() return x.field end))
print(coroutine.resume(coroutine.create(function() return x.field end)))
mt.__sub = function() coroutine.yield() end
print(coroutine.resume(coroutine.create(function() return x - 1 end)))
--- multiple assignment through metamethods
local log = {}
local p = setmetatable({}, { __newindex = function(t, k, v) log[#log + 1] = k .. "=" .. tostring(v) end,
  __index = function(t, k) log[#log + 1] = "get " .. k return k end })
p.a, p.b, p.c = p.x, p.y
print(table.concat(log, " "))
--- inheritance
local Animal = {} Animal.__index = Animal
function Animal.new(name) return setmetatable({ name = name }, Animal) end
function Animal:speak() return self.name .. " makes a sound" end
function Animal:kind() return "animal" end
local Dog = setmetatable({}, { __index = Animal }) Dog.__index = Dog
function Dog.new(name) local d = Animal.new(name) return setmetatable(d, Dog) end
function Dog:speak() return Animal.speak(self) .. ": woof" end
local d = Dog.new("Rex")
print(d:speak(), d:kind(), getmetatable(d) == Dog, rawget(d, "speak"))
--- upvalue access through metamethods
local count = 0
local t = setmetatable({}, { __index = function(_, k) count = count + 1 return count end })
print(t.a, t.b, t.a + t.b, count)
print(t.x .. t.y, #tostring(t.z))
--- unm and pow on strings
print(-"2", "2" ^ 2, pcall(function() return -"x" end))
--- le falls back to lt with swapped operands in a condition
local mt = { __lt = function(a, b) return a[1] < b[1] end }
local a, b = setmetatable({ 1 }, mt), setmetatable({ 2 }, mt)
if a <= b then print("a <= b") else print("no") end
if b <= a then print("no") else print("not b <= a") end
print(a >= b, b >= a, a <= a)
--- environments
local env = { print = print, pairs = pairs }
local function f() x = 1 return x end
setfenv(f, env)
print(f(), x, env.x)
print(getfenv(f) == env, getfenv(1) == getfenv(), getfenv(print) ~= nil)
local g = setfenv(function() return y end, { y = 5 })
print(g())
local function h() setfenv(1, { print = print }) print(a, type(print)) b = 2 return b end
print(h(), b)
local function outer() setfenv(2, setmetatable({ inner = 1 }, { __index = getfenv(1) })) end
(function() outer() print(inner) end)()
print(pcall(setfenv, 1.5), pcall(setfenv, -1, {}), pcall(getfenv, -1), pcall(setfenv, 50, {}))
local chunk = loadstring("z = 5 return z")
local e2 = {}
setfenv(chunk, e2)
print(chunk(), e2.z, z)
print(getfenv(loadstring("return 1")) == getfenv(0))
--- a proxy counts accesses
local function proxy(t)
  local n = { get = 0, set = 0 }
  return setmetatable({}, { __index = function(_, k) n.get = n.get + 1 return t[k] end,
    __newindex = function(_, k, v) n.set = n.set + 1 t[k] = v end }), n
end
local p, n = proxy({ 1, 2, 3 })
p[4] = p[1] + p[2] p.x = p[4]
for i = 1, 4 do p[i] = p[i] * 2 end
print(n.get, n.set, p.x, p[4])
