--- names of variables
local t = {}
local function try(f, ...) print(select(2, pcall(f, ...))) end
try(function() local a; a.b = 1 end)
try(function() local a; return a.b end)
try(function() local a; a() end)
try(function() local a = {}; a.b.c = 1 end)
try(function() local a = {}; a.b() end)
try(function() local a = {}; a:m() end)
try(function() undefinedfunction() end)
try(function() return undefinedvar.x end)
try(function() undefinedvar.x = 1 end)
try(function() t.x.y.z = 1 end)
try(function() t() end)
try(function() return t .. "x" end)
try(function() return "x" .. t end)
try(function() return 1 + t end)
try(function() return t + 1 end)
try(function() return -t end)
try(function() return #nil end)
try(function() local n; return #n end)
try(function() return #5 end)
try(function() return 1 < "2" end)
try(function() return {} < {} end)
try(function() return nil > 1 end)
try(function() return "a" < 1 end)
try(function() return print < print end)
try(function() return {} <= 1 end)
try(function() local s = "x"; return s.y.z end)
try(function() local s = "x"; return s:nomethod() end)
try(function() return ("x")() end)
try(function() return (1)() end)
try(function() return t[nil].x end)
try(function() t[nil] = 1 end)
try(function() t[0/0] = 1 end)
try(function() return 2 ^ {} end)
try(function() return "abc" + 1 end)
try(function() local a, b = 1, "z"; return a * b end)
try(function() local a, b = 1, {}; return a .. b end)
try(function() return t.x .. "a" end)
try(function() return "a" .. t.x end)
try(function() return t.x + 1 end)
try(function() return 1 + t.x.y end)
try(function() for i = 1, 10 do local x = i; x.y.z = 1 end end)
try(function() (t.a or t.b)() end)
try(function() t.a.b.c.d = 5 end)
try(function() local a = t; a.x.y = 1 end)
try(function() t["a b"]() end)
try(function() t[1]() end)
try(function() t[t]() end)
try(function() local k = "key"; t[k]() end)
try(function() string.nothing() end)
try(function() return math.nothing.x end)
try(function() return not_defined + 1 end)
try(function() return 1 .. not_defined end)
try(function() return #t.x end)
try(function() return -t.x end)
try(function() return -{} end)
try(function() return true + 1 end)
try(function() return nil .. "x" end)
try(function() return {} .. {} end)
try(function() local a = {} ; a = a.b.c end)
try(function() local up = t; return (function() return up.x.y end)() end)
try(function() local up; return (function() return up.x end)() end)
try(function() local up; return (function() up() end)() end)
try(function() local a = nil; a[1] = 2 end)
--- positions in files
local function f()
  local x = nil
  return x.y
end
print(pcall(f))
print(pcall(function()
  local a = 1
  local b = a
    + nil
end))
print(pcall(function()
  error("message")
end))
print(pcall(function()
  undefined(1,
    2,
    3)
end))
print(pcall(function()
  local t = {
    a = 1,
    b = nil .. "x",
  }
end))
--- error values and levels
print(pcall(error))
print(pcall(error, nil))
print(pcall(error, "msg"))
print(pcall(error, "msg", 0))
print(pcall(error, "msg", 1))
print(pcall(error, "msg", 2))
print(pcall(error, 42))
print(pcall(error, true))
print(select("#", pcall(error)))
local t = {}
print(select(2, pcall(error, t)) == t)
local function level1() error("l1", 1) end
local function level2() error("l2", 2) end
local function level3() level2() end
print(pcall(level1))
print(pcall(level2))
print(pcall(level3))
local function deep() local function inner() error("l3", 3) end inner() end
local function outer() deep() end
print(pcall(outer))
print(pcall(error, "x", 5))
print(pcall(error, "x", 50))
print(pcall(error, "x", -1))
local function number() error(12, 1) end
print(pcall(number))
print(select(2, pcall(function() error({ code = 1 }) end)).code)
--- uncaught error in main
local function f() local x; x.y = 1 end
print("before")
f()
print("never")
--- uncaught error object
error({})
--- uncaught nil error
error(nil)
--- uncaught error with level
local function f() error("from caller", 2) end
f()
--- uncaught string without position
error("plain", 0)
--- error in nested pcall
print(pcall(pcall))
print(pcall(pcall, error, "x"))
print(pcall(function() return pcall(error, "inner") end))
print(pcall(function() local ok, e = pcall(error, "inner", 0); error("outer: " .. e, 0) end))
print(pcall(pcall, pcall, pcall, error))
print(pcall(function(...) return select("#", ...), ... end, 1, nil, 3))
--- xpcall
print(xpcall(function() return 1, 2, 3 end, print))
print(xpcall(function() error("a", 0) end, function(e) return "handled " .. e, "second" end))
print(xpcall(function() local x; x() end, function(e) return e:upper() end))
print(xpcall(function() error() end, function(e) return type(e) end))
print(xpcall(error, function(e) error("again") end))
print(pcall(xpcall), pcall(xpcall, print))
print(xpcall(function() return pcall(error, "in", 0) end, print))
local depth = 0
print(xpcall(function() error("x", 0) end, function(e) depth = depth + 1; return e .. depth end), depth)
print(xpcall(function() error("x", 0) end, nil))
--- error through layers restores the stack
local function f(n) if n == 0 then error("bottom", 0) end local ok, e = pcall(f, n - 1) error(e .. n, 0) end
print(pcall(f, 5))
local t = {}
for i = 1, 3 do
  local x = i
  t[i] = function() return x end
  pcall(function() local y = x; t[i + 10] = function() y = y + 1 return y end; error("e") end)
end
print(t[1](), t[2](), t[11](), t[11](), t[12]())
--- bad arguments
local function try(f, ...) print(select(2, pcall(f, ...))) end
try(function() string.rep() end)
try(function() string.rep("x") end)
try(function() string.rep("x", {}) end)
try(function() ("x"):rep({}) end)
try(function() ("x"):rep() end)
try(function() local r = string.rep; r() end)
try(function() setmetatable(1, {}) end)
try(function() setmetatable({}) end)
try(function() setmetatable({}, 1) end)
try(function() ipairs() end)
try(function() pairs(nil) end)
try(function() next({}, "nokey") end)
try(function() next({}, 1) end)
try(function() rawset({}, nil, 1) end)
try(function() rawget(1, 2) end)
try(function() tostring() end)
try(function() table.concat({ {} }) end)
try(function() table.concat({ 1, {}, 3 }, ",") end)
try(function() table.concat({ 1, 2 }, ",", 1, 5) end)
try(function() table.insert({}, 1, 2, 3) end)
try(function() table.insert({}) end)
try(function() table.insert(nil, 1) end)
try(function() math.floor("x") end)
try(function() math.floor({}) end)
try(function() math.floor() end)
try(function() math.random(0) end)
try(function() math.random(2, 1) end)
try(function() math.random(1, 2, 3) end)
try(function() string.char(256) end)
try(function() string.char(-1) end)
try(function() string.format("%d", "x") end)
try(function() string.format("%d") end)
try(function() string.format("%y", 1) end)
try(function() string.format("%") end)
try(function() unpack() end)
try(function() unpack({}, 1, 1e7) end)
try(function() select(0) end)
try(function() coroutine.resume(1) end)
try(function() coroutine.create(1) end)
try(function() coroutine.create(tostring) end)
try(function() coroutine.wrap(nil) end)
try(function() string.sub() end)
try(function() string.byte("x", {}) end)
try(function() assert(false) end)
try(function() assert(nil, "custom") end)
try(function() assert(false, {}) end)
try(function() assert() end)
try(function() local o = { m = string.rep }; o.m({}) end)
try(function() local o = { m = string.rep }; o:m(1) end)
try(string.rep)
try(string.rep, {})
try(function() getmetatable() end)
try(function() collectgarbage("nonsense") end)
try(function() tonumber("1", 99) end)
try(function() loadstring() end)
try(function() load(1) end)
try(function() setfenv(1) end)
try(function() getfenv(100) end)
try(function() setfenv(tostring, {}) end)
try(function() return ("x"):bad() end)
try(function() return ("x").y.z end)
--- stack overflow
local function f() return 1 + f() end
local ok, e = pcall(f)
print(ok, (e:gsub("^.-: ", "")))
local t = setmetatable({}, {})
getmetatable(t).__index = t
print(pcall(function() return t.x end))
local a, b = {}, {}
setmetatable(a, { __index = b })
setmetatable(b, { __index = a })
print(pcall(function() return a.x end))
setmetatable(a, { __newindex = b })
setmetatable(b, { __newindex = a })
print(pcall(function() a.x = 1 end))
--- runtime errors keep the program alive
local n = 0
for i = 1, 100 do
  if not pcall(function() local x = nil; return x[i] end) then n = n + 1 end
end
print(n)
--- assert
print(assert(1, 2, 3))
print(pcall(assert, false))
print(pcall(assert, nil, "m"))
print(pcall(assert, false, 42))
print(select("#", assert(true, nil, nil)))
