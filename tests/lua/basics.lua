--- arithmetic
print(1 + 2 * 3 - 4 / 5, 2 ^ 10, 2 ^ -1, 7 % 3, -7 % 3, 7 % -3, -7 % -3)
print(5.5 % 2, -5.5 % 2, 0 / 1, -0, 0, 1 / 0, -1 / 0)
print(2 ^ 3 ^ 2, -2 ^ 2, not nil == true, not (1 == 2))
print(1e15, 1e14, 123456789012, 0.1, 1 / 3, 100, 1e100, 2 ^ 53, 2 ^ 63)
print(3 .. "", 1e3 .. "", 0.5 .. "x", 10 / 2 .. "")
print("10" + 5, "0x10" + 0, " 7 " * "2", "3" ^ "2", -"4", 10 .. 20)
print(1e308 * 10, -(1e308 * 10), 5 % (1 / 0), -5 % (1 / 0))
--- constant folding shares the zeros
print(0, -0, 1 / -0, 1 / 0)
print(-0, 0)
local a = 0
print(a, -a, 1 / -a)
--- comparison
print(1 < 2, 2 <= 2, 3 > 4, "a" < "b", "a" < "B", "abc" < "abd", "" < "a", "Z" <= "Z")
print(1 == 1.0, "1" == 1, nil == false, "a\0b" < "a\0c", "a" ~= "b")
local nan = 0 / 0
print(nan == nan, nan ~= nan, nan < nan, nan <= nan, nan > 1)
--- logic
print(nil and 1, false and 1, 1 and 2, nil or 1, false or nil, 1 or 2)
print(1 and nil or 3, (nil and 1) == nil, not 0, not "")
local function f(x) return x end
print(f(1) and f(nil) or f("else"), f(false) or f(nil), (f(1) or f(2)) and f(3))
local x = f(nil) or f(false) and 1
print(x)
local y = not (f(1) and f(2))
print(y, not f(nil), not not f(1))
print(1 < 2 and 2 < 3, 1 > 2 or 3 > 2, (1 < 2) == true, 1 < 2 == true)
local t = { 1 < 2, 2 < 1, not (1 < 2), 1 == 1 and "yes" or "no" }
print(t[1], t[2], t[3], t[4])
--- precedence
print(1 .. 2 .. 3, "a" .. 1 + 2 .. "b", 2 * 3 .. 4, -2 ^ 2, not 1 == 2)
print(1 + 1 == 2, "a" .. "b" == "ab", 1 < 2 and 2 or 3, 5 - 3 - 1, 2 ^ 2 ^ 3, 8 / 4 / 2)
print(#"abc" + 1, -#"abc", not #"", #{ 1, 2 } * 2)
--- locals and scope
local a, b, c = 1
print(a, b, c)
do local a = 2; print(a) end
print(a)
local a = a + 1
print(a)
local x, y = 1, 2, 3
x, y = y, x
print(x, y)
local function f() return 1, 2, 3 end
local p, q, r, s = f()
print(p, q, r, s)
local p, q = (f())
print(p, q)
local t = { f(), f() }
print(#t, t[1], t[2], t[4])
t = { f(), (f()) }
print(#t)
print(f(), 10)
print(10, f())
print((f()))
--- assignment order
local t = {}
local i = 1
i, t[i] = i + 1, 20
print(i, t[1], t[2])
local a = { 1, 2, 3 }
local n = 1
n, a[n], a[n + 1] = 2, "x", "y"
print(n, a[1], a[2], a[3])
local function trace(x) io_log = (io_log or "") .. x; return x end
t[trace("a")], t[trace("b")] = trace("c"), trace("d")
print(io_log)
local x = { y = { z = 1 } }
x.y.z, x.y = 2, 3
print(x.y)
local a, b, c = 0, 0, 0
a, b, c = 1, 2
print(a, b, c)
a, b = 1, 2, trace("e")
print(a, b)
--- while repeat for
local i = 0
while i < 3 do i = i + 1 if i == 2 then break end end
print(i)
repeat local done = i >= 5; i = i + 1 until done
print(i)
for i = 1, 3 do io = i end
print(io)
for i = 3, 1, -1 do print(i) end
for i = 1, 0 do print("never") end
for i = 1, 2, 0.5 do print(i) end
for i = 0.1, 0.35, 0.1 do print(i) end
for i = "1", "2" do print(i) end
for i = 1, 3 do local i = i * 2; print(i) end
for i = 3, 1 do print("never") end
for i = 1, math.huge do if i > 3 then break end print(i) end
for i = -1, -3, -1 do print(i) end
--- for errors
print(pcall(function() for i = nil, 1 do end end))
print(pcall(function() for i = 1, {} do end end))
print(pcall(function() for i = 1, 2, "x" do end end))
print(pcall(function() for i in 5 do end end))
print(pcall(function() for i in nil do end end))
print(pcall(function() local t = {} for i in t do end end))
--- generic for
local function iter(t, i) i = i + 1 if t[i] then return i, t[i] end end
for i, v in iter, { "a", "b" }, 0 do print(i, v) end
for k, v, extra in next, { 10 } do print(k, v, extra) end
local t = setmetatable({}, { __call = function(self, s, c) c = (c or 0) + 1 if c < 4 then return c end end })
for x in t do print(x) end
for w in string.gmatch("one two", "%a+") do print(w) end
for i, v in ipairs({ 1, 2, nil, 4 }) do print(i, v) end
for a, b, c, d in (function() local n = 0 return function() n = n + 1 if n < 3 then return n, n * 2, n * 3 end end end)() do
  print(a, b, c, d)
end
--- nested break and closures in loops
local fs = {}
for i = 1, 5 do
  for j = 1, 5 do
    if j == 3 then break end
    fs[#fs + 1] = function() i = i + 1; return i * 10 + j end
  end
  if i == 3 then break end
end
for k, f in ipairs(fs) do print(k, f(), f()) end
local k = 0
while true do
  local c = k
  fs[k + 1] = function() c = c + 1 return c end
  k = k + 1
  if k == 3 then break end
end
print(fs[1](), fs[1](), fs[2](), fs[3]())
repeat local u = k; fs[1] = function() return u end; k = k + 1 until u >= 4
print(fs[1](), k)
--- closures share variables
local function counter()
  local n = 0
  return function() n = n + 1 return n end, function() n = n - 1 return n end, function(v) n = v end
end
local inc, dec, set = counter()
print(inc(), inc(), dec(), set(10), inc())
local inc2 = counter()
print(inc2(), inc())
local function nest(a) return function(b) return function(c) a = a + 1 b = b + 1 return a + b + c end end end
local g = nest(1)(10)
print(g(100), g(100))
--- recursion and tail calls
local function fact(n) if n == 0 then return 1 end return n * fact(n - 1) end
print(fact(10), fact(20))
local function loop(n) if n == 0 then return "done" end return loop(n - 1) end
print(loop(100000))
local even, odd
function even(n) if n == 0 then return true end return odd(n - 1) end
function odd(n) if n == 0 then return false end return even(n - 1) end
print(even(1001), odd(1001))
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print(fib(20))
--- varargs
local function f(...) return select("#", ...), ... end
print(f())
print(f(nil))
print(f(1, nil, 3, nil))
print((f(1, 2)))
local function g(a, ...) local b, c = ... return a, b, c end
print(g(1), g(1, 2), g(1, 2, 3, 4))
local function h(...) local t = { ... } return #t, { ... }[1], { n = select("#", ...), ... }.n end
print(h(5, 6, 7))
print(select(2, "a", "b", "c"), select(-1, "a", "b"), select("#"))
print(pcall(select, 0), pcall(select, -5, 1))
local function v(...) return ... end
print(v(), (v()), v(1, 2), v(3, 4))
print(#{ v(1, 2, 3), v(4, 5) })
local function many(...) local a, b, c, d, e = ... ; return e, d, c, b, a end
print(many(1, 2, 3))
--- the old arg
local function f(...) return arg.n, arg[1], arg[2] end
print(f(1, 2, 3))
local function g(a, ...) return a, arg.n, arg[1] end
print(g(1), g(1, nil), g(1, 2))
local function h(...) local n = select("#", ...) return arg, n end
print(h(1, 2))
--- strings and escapes
print("a\tb\\n\"q\"'s'", 'it''s' == nil, "\65\066\0677", "\x", "line\
next")
print([[long
string]], [==[with ]] inside]==], [[
first newline skipped]])
print(#"\0\1\2", ("a\0b"):len(), "a\0b" == "a\0b")
print("\a\b\f\v\r" == string.char(7, 8, 12, 11, 13))
--- comments
-- one
--[[ two
lines ]] print("after")
--[==[ three ]] still ]==] print("again")
---[[ not long
print("end") --
--]]
--- semicolons and calls
local f = function(x) return type(x) == "table" and #x or x end;
print(f "str", f [[long]], f { 1, 2, 3 }, f(f)==f)
local s = "x"
print(s:rep(3), ("y"):rep(2), #s:rep(4));
(print)("parenthesised")
local o = { name = "o" }
function o.plain(x) return x end
function o:method(x) return self.name, x end
o.a = { b = {} }
function o.a.b.c(x) return x end
function o.a.b:d(x) return self == o.a.b, x end
print(o.plain(1), o:method(2), o.method(o, 3), o.a.b.c(4), o.a.b:d(5))
--- numbers in source
print(1, 1., .5, 0x10, 0xff, 0XA, 1e2, 1E-2, 1e+2, 3.14159, 0xffffffff)
print(0xA + 1, 5e-324, 1.7976931348623157e308, 123456789.123456789)
--- many locals and registers
local a1, a2, a3, a4, a5, a6, a7, a8, a9, a10 = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
local t = { a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, x = a1, y = a2, [a10 + 1] = "eleven", a1 + a2 }
print(#t, t[11], t.x, t.y)
print(a1 + a2 * a3 - a4 / a5 + (a6 - a7) * (a8 + a9) ^ 2 % a10)
print(((((((a1 + a2) + a3) + a4) + a5) + a6) + a7) + (a8 + (a9 + a10)))
--- large constructors
local t = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
  31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60,
  61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90,
  91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, unpack({ 1, 2, 3 }) }
print(#t, t[50], t[51], t[100], t[101], t[105], t[108])
--- evaluation order
local log = {}
local function l(x) log[#log + 1] = x return x end
local t = { [l(1)] = l(2), l(3), [l(4)] = l(5), l(6) }
local r = l(7) + l(8) * l(9)
local s = l("a") .. l("b") .. l("c")
local c = l(10) < l(11), l(12) > l(13)
print(table.concat(log, " "))
--- globals
x = 5
print(x, _G.x, _G["x"], y)
_G.y = 6
print(y)
local function f() x = 7 end
f()
print(x)
x = nil
print(x, rawget(_G, "x"))
print(_VERSION, _G._G == _G, type(_G))
--- type and tostring
print(type(1), type("a"), type(nil), type(true), type({}), type(print), type(function() end), type(coroutine.create(function() end)))
print(tostring(1), tostring("a"), tostring(nil), tostring(true), tostring(1.5), tostring(-0.0), tostring(1e300))
print(tostring({}):match("^table: 0x%x+$") ~= nil, tostring(tostring):match("^function: ") ~= nil)
print(pcall(type), pcall(tostring))
--- tonumber
print(tonumber("10"), tonumber("  0x1F  "), tonumber("1e1"), tonumber("abc"), tonumber(""), tonumber(" "), tonumber("1 2"))
print(tonumber("10", 2), tonumber("ff", 16), tonumber("zz", 36), tonumber("8", 8), tonumber("7", 8), tonumber("-ff", 16))
print(tonumber(nil), tonumber({}), tonumber(true), tonumber(5), tonumber("5."), tonumber(".5"), tonumber("."), tonumber("0x"))
print(tonumber("1e"), tonumber("1e+"), tonumber("+1"), tonumber("- 1"), tonumber("--1"), tonumber("inf"), tonumber("nan"))
print(pcall(tonumber), pcall(tonumber, "1", 1), pcall(tonumber, "1", 37), pcall(tonumber, {}, 2))
print(tonumber("0x1p4"), tonumber("0x.8"), tonumber("1_000"), tonumber("0b1"), tonumber("1\0"), tonumber("\t12\n"))
print(tonumber(15, 16), tonumber("1.5", 16), tonumber("  11  ", 2), tonumber("12", 2), tonumber("0x11", 16), tonumber("ZZ", 36))
--- upvalues across levels
local a = 1
local function f()
  local b = a
  return function()
    local c = b + a
    return function() a = a + 1; b = b + 10; c = c + 100; return a, b, c end
  end
end
local g = f()
local h, i = g(), g()
print(h())
print(i())
print(h())
print(a)
