--- sub
local s = "hello"
print(s:sub(2, 4), s:sub(2), s:sub(-3), s:sub(-3, -2), s:sub(0), s:sub(10), s:sub(2, 1), s:sub(-100, 2), s:sub(3, -100))
print(s:sub(1, 100), (""):sub(1), s:sub("2", "3"), s:sub(2.7, 3.2), s:sub(-1, -1), s:sub(5, 5), s:sub(6, 6))
print(pcall(string.sub, s), pcall(string.sub), pcall(string.sub, s, {}))
print(s:sub(-2147483648, 2), s:sub(1, 2147483647), s:sub(1, 1e10), s:sub(-1e10, -1))
--- byte and char
print(("abc"):byte(), ("abc"):byte(2), ("abc"):byte(-1), ("abc"):byte(10), ("abc"):byte(0), (""):byte())
print(("abc"):byte(1, -1), ("abc"):byte(2, 10), ("abc"):byte(3, 2), select("#", ("abc"):byte(3, 2)))
print(string.char(), string.char(72, 105), #string.char(0, 1, 255), string.char("65"), string.char(65.9))
print(("\255\0\128"):byte(1, 3))
print(pcall(string.char, 256), pcall(string.char, -1), pcall(string.char, "x"), pcall(string.char, 1, 2, 300))
--- len rep reverse upper lower
print(("abc"):len(), (""):len(), ("a\0b"):len(), #"\0\0", string.len(123))
print(("ab"):rep(3), ("ab"):rep(0), ("ab"):rep(-1), (""):rep(10), ("x"):rep("3"), ("x"):rep(2.9))
print(("abc"):reverse(), (""):reverse(), ("a"):reverse(), string.reverse(123))
print(("Hello World 1!"):upper(), ("Hello World 1!"):lower(), ("\228\196"):upper() == "\228\196")
print(pcall(string.rep), pcall(string.rep, "x"), pcall(string.len), pcall(string.upper, nil), pcall(string.reverse, {}))
--- find plain
print(("hello world"):find("wor"), ("hello"):find("l"), ("hello"):find("xyz"), ("hello"):find(""), (""):find(""))
print(("hello"):find("l", 4), ("hello"):find("l", 5), ("hello"):find("", 3), ("hello"):find("", 6), ("hello"):find("", 10))
print(("hello"):find("l", -2), ("hello"):find("h", -100), ("a.b"):find(".", 1, true), ("a.b"):find("%.", 1), ("a+b"):find("+", 1, true))
print(("a\0b\0c"):find("\0c", 1, true), ("a\0b"):find("b"), ("aXb"):find("X", 1, false), ("abc"):find("c", "2"))
print(("abc"):find("b", nil, true), ("abc"):find("", 4), ("abc"):find("", 5), (""):find("x"), (""):find("", 2))
--- find patterns
print(("hello world"):find("o w"), ("hello world"):find("(o)( )(w)"), ("key=val"):find("(%w+)=(%w+)"))
print(("  trim  "):find("^%s*(.-)%s*$"), ("abc"):find("^b"), ("abc"):find("c$"), ("abc"):find("^abc$"), ("abc"):find("^$"))
print(("x"):find("()"), ("xyz"):find("()y()"), ("abc123"):find("%d+"), ("abc"):find("%d*"), ("$x"):find("$x"), ("a$"):find("$$"))
print(("abc"):find("b-"), ("abc"):find("a-b"), ("aaa"):find("a-$"), ("a]b"):find("[]]"), ("a-b"):find("[a%-]", 2), ("a^b"):find("[%^]"))
print(("abc"):find(".", -1), ("abc"):find("^.", 2), ("abc"):find("^b", 2))
--- match
print(("key = value"):match("^(%w+)%s*=%s*(%w+)$"), ("2024-01-02"):match("(%d+)-(%d+)-(%d+)"))
print(("hello"):match("l+"), ("hello"):match("x*"), ("hello"):match("(h)(e)(l)(l)(o)"), ("hello"):match(".-l"), ("hello"):match(".*l"))
print(("hello"):match("()ll()"), ("abc"):match("((a)(b))"), ("x"):match("(x)(y?)"), ("abc"):match("^(a-)b"))
print(("[[nested]]"):match("%[%[(.-)%]%]"), ("f(a(b)c)d"):match("%b()"), ("((("):match("%b()"), ("<<a>>"):match("%b<>"))
print(("THE (quick) fox"):find("%((%a+)%)"), ("hello"):match("(.)%1"), ("abab"):match("(ab)%1"), ("abcabd"):match("(ab)(.)%1"))
print(("THE (quick) fox"):match("%f[%a]%a+%f[%A]"), ("foo.bar"):match("%f[%w]%w+$"), ("x"):match("%f[%z]"))
print(("  x"):match("^%s+"), ("a,b,,c"):match("^(.-),(.-),(.-),(.*)$"), ("0x1F"):match("^0[xX](%x+)$"))
print(("abc"):match("b", 3), ("abc"):match("b", -2), ("abc"):match("", 10), ("a\0b"):match("%z"), ("a\nb"):match("a.b"))
print(string.match(123, "%d"), ("x"):match(".", 2), ("äö"):match("[\192-\255]+") ~= nil)
--- classes
local all = {}
for i = 0, 255 do all[#all + 1] = string.char(i) end
all = table.concat(all)
for _, class in ipairs({ "%a", "%c", "%d", "%l", "%p", "%s", "%u", "%w", "%x", "%z", "%A", "%C", "%D", "%L", "%P", "%S", "%U", "%W", "%X", "%Z", ".", "[a-z]", "[^a-z]", "[%a_]", "[%w%-]", "[^%s]", "[a-]", "[]-a]", "[%]]", "[^^]", "[a%-z]" }) do
  local n, sum = 0, 0
  for c in all:gmatch(class) do n = n + 1 sum = sum + c:byte() * n end
  print(class, n, sum)
end
--- gmatch
for w in ("one two  three"):gmatch("%a+") do print(w) end
for k, v in ("a=1, b=2"):gmatch("(%w+)=(%w+)") do print(k, v) end
for p in ("abc"):gmatch("()") do print(p) end
for s in ("abc"):gmatch("") do print("[" .. s .. "]") end
for s in ("aXbX"):gmatch(".-X") do print(s) end
for a in ("^a^a"):gmatch("^a") do print(a) end
for a, b in ("k1v1k2v2"):gmatch("k(%d)v(%d)") do print(a + b) end
print(string.gfind == string.gmatch, pcall(string.gmatch, "x"), pcall(string.gmatch))
local it = ("ab"):gmatch(".")
print(it(), it(), it(), it())
--- gsub strings
print(("hello"):gsub("l", "L"), ("hello"):gsub("l", "L", 1), ("hello"):gsub("x", "y"), ("hello"):gsub("", "-"))
print(("hello world"):gsub("o", "%0%0"), ("hello"):gsub("(h)(e)", "%2%1"), ("abc"):gsub("%w", "%%%0"), ("abc"):gsub(".", { a = 1, b = true, c = false }))
print(("hello"):gsub("^h", "H"), ("hello"):gsub("o$", "0"), ("hello"):gsub("^", ">"), ("hello"):gsub("$", "<"), ("hello"):gsub("l*", "x"))
print(("abc"):gsub("b*", "-"), ("  x  "):gsub("^%s+", ""), (""):gsub("", "x"), (""):gsub("^", "x"), ("abc"):gsub("(b)", "[%1%0]"))
print(("abc"):gsub("b", "%"), #("abc"):gsub("b", "%"), ("a.b.c"):gsub("%.", "/"), ("abc"):gsub("", "", 2))
print(("abc"):gsub("b", 5), ("abc"):gsub("%w", "x", 0), ("abc"):gsub("%w", "x", -1), ("abc"):gsub("%w", "x", "2"), ("abc"):gsub("()", "%1"))
print(pcall(string.gsub, "abc", "b", "%2"), pcall(string.gsub, "abc", "(b)", "%2"), pcall(string.gsub, "abc", "b"), pcall(string.gsub, "abc", "b", true))
print(pcall(string.gsub, "abc"), pcall(string.gsub), pcall(string.gsub, "abc", "b", nil), pcall(string.gsub, "a", "a", "x", {}))
--- gsub functions and tables
print(("hello"):gsub("l", function(c) return c:upper() .. "!" end))
print(("hello"):gsub("l", function() end), ("hello"):gsub("l", function() return false end), ("hello"):gsub("(l)(l)", function(a, b) return b .. "-" .. a end))
print(("$name is $age"):gsub("%$(%w+)", { name = "Bob", age = 42 }), ("$x $y"):gsub("%$(%w+)", { x = "1" }))
print(("abc"):gsub("%w", setmetatable({}, { __index = function(_, k) return k .. k end })))
print(("abc"):gsub("%w", setmetatable({}, { __index = { a = "A" } })))
print(pcall(string.gsub, "abc", "b", function() return {} end), pcall(string.gsub, "abc", "b", { b = print }))
print(pcall(string.gsub, "abc", "b", function() error("in callback", 0) end))
print(("abc def"):gsub("%w+", function(w) return (w:gsub(".", function(c) return c .. "." end)) end))
local n = 0
print(("aaaa"):gsub("a", function() n = n + 1 return n end), n)
print(("abc"):gsub("()", function(p) return p end), ("x=1,y=2"):gsub("(%w)=(%w)", function(k, v) return v .. "=" .. k end))
print(("abc"):gsub("b", function(...) return select("#", ...) end), ("abc"):gsub("(a)(b)(c)", function(...) return select("#", ...) end))
--- pattern errors
for _, p in ipairs({ "(", ")", "%", "[", "[a", "[^", "[%", "(()", "%b", "%bx", "%f", "%fx", "(a", "a)", "%1", "(%1)", "[]", "[]]", "[^]", "[a-", "%g", "[a-%", "((a)", "%2(a)", "a**", "a++", "*", "+", "-", "?", "^*", "(a)%2" }) do
  print(p, pcall(string.find, "abc", p))
end
print(pcall(string.find, "a", ("(a)"):rep(33)), pcall(string.rep, "x", -1))
print(pcall(string.find, ("a"):rep(40), ("(a)"):rep(32)))
--- backtracking
print((("a"):rep(20) .. "b"):match("^(a*)*b"), ("aaa"):match("a?a?a?aaa"), ("aXbXc"):match("^(.*)X(.-)$"))
print(("x"):rep(1000):match(".-y"), #(("x"):rep(5000)):match("^(.+)x$"), ("abcabc"):match("^(.-)%1$"), ("aabb"):match("^(a*)(b*)$"))
print(("<a><b>"):match("<(.*)>"), ("<a><b>"):match("<(.-)>"), ("a b  c"):gsub("%s+", " "), ("foobar"):match("o*(b?)(a?)"))
--- format numbers
print(string.format("%d %5d|%-5d|%05d|%+d|% d|%i", 42, 42, 42, 42, 42, 42, -7))
print(string.format("%.3d|%5.3d|%-8.3d|%+.2d|%.0d|%x|%X|%#x|%o|%#o|%u", 5, 5, 5, 5, 0, 255, 255, 255, 8, 8, 42))
print(string.format("%f|%.2f|%10.3f|%-10.1f|%+.1f|%010.2f|%.0f|%#.0f", 3.14159, 3.14159, 3.14159, 3.14159, 3.14159, -3.14159, 2.5, 2.5))
print(string.format("%e|%.2e|%E|%12.3e|%.0e", 12345.678, 12345.678, 0.00012, 1, 5))
print(string.format("%g|%g|%g|%g|%g|%G|%.3g|%#g|%10g|%-10g|", 100000, 1000000, 0.0001, 0.00001, 1.5, 1e-10, 3.14159, 1.5, 2, 2))
print(string.format("%d %d %d %d", 3.7, -3.7, "10", 2 ^ 31), string.format("%d", 2 ^ 53), string.format("%x", 2 ^ 32))
print(string.format("%d %x %u", -1, -1, -1), string.format("%f %g %e", 1 / 0, -1 / 0, 1 / 0), string.format("%5.1f|%-8g|", 1 / 0, -1 / 0))
print(string.format("%.14g %.17g %.20f %.0f", 0.1, 0.1, 0.1, 1e15), string.format("%.3f", 2.0005), string.format("%.2f", 1e20))
print(string.format("%5s|%-5s|%.2s|%5.1s|%s|%10.4s|", "abc", "abc", "abc", "abc", "abc", "abcdef"))
print(string.format("%c%c%c|%5c|%-5c|", 72, 105, 33, 65, 66), string.format("%%"), string.format("100%%"), string.format(""))
print(#string.format("%c", 0), #string.format("a%cb", 0), string.format("%s", "a\0b") == "a", #string.format("%s", ("a\0b"):rep(50)))
print(string.format("%q", 'a "quoted" \\ string\nwith\0zero\r'), string.format("%q", ""), string.format("%5q", "x"))
print(string.format("%s %s", 1, 2.5), string.format("%s", -0), string.format("%d%%", 50), string.format("%s", 1e15), string.format("%99d", 1) == (" "):rep(98) .. "1")
print(#string.format("%s", ("x"):rep(200)), #string.format("%150s", "x") == 0 or 1)
--- format errors
for _, a in ipairs({ { "%d" }, { "%d", "x" }, { "%s" }, { "%y", 1 }, { "%", 1 }, { "%10" , 1 }, { "%------d", 1 }, { "%123d", 1 }, { "%.123d", 1 }, { "%1.123d", 1 }, { "%s", nil }, { "%s", {} }, { "%s", true }, { "%d", nil }, { "%c", "x" }, { "%q", {} }, { "%q", 5 }, { "%i", "3" }, { "%5.5.5d", 1 }, { "%ld", 1 }, { "%p", {} }, { "%a", 1 }, { "%n", 1 }, { "%*d", 5, 1 } }) do
  print(a[1], pcall(string.format, unpack(a, 1, 3)))
end
print(pcall(string.format), pcall(string.format, {}), pcall(string.format, "%s %s", 1), pcall(string.format, "x", 1, 2))
print(pcall(string.format, "%100d", 1), pcall(string.format, "%-99d|", 1), pcall(string.format, "%.99f", 1 / 3))
--- concat and compare
print("a" .. "b" .. 1 .. 2.5, 1 .. "", -1 .. "x", 0.1 .. "", 1e20 .. "")
print("a" < "b", "a" < "aa", "" < "a", "a\0" > "a", "Z" < "a", "\200" > "a", "10" < "9", "abc" == "abc")
local t = {}
for i = 1, 300 do t[#t + 1] = i end
print(#table.concat(t), table.concat(t):sub(-10))
--- strings as keys and methods
local s = "method"
print(s:upper():lower():len(), ("%d"):format(5), ("x"):rep(3):gsub("x", "y"), #s:rep(2))
local t = { [s] = 1, ["x" .. "y"] = 2 }
print(t.method, t.xy, t["me" .. "thod"])
print(pcall(function() return s.nope.x end), s.nope, pcall(function() s.x = 1 end))
string.shout = function(x) return x:upper() .. "!" end
print(("hey"):shout())
string.shout = nil
--- dump and misc
print(pcall(string.dump), pcall(string.dump, tostring))
print(tostring(12):rep(2), (5 .. ""):rep(2), #tostring(0.1), tostring(1e15), tostring(-1e15), tostring(123456789012345))
--- numbers to strings
for _, n in ipairs({ 0, 1, -1, 0.5, 1 / 3, 100, 1e14, 1e15, 1e16, 123456.789, 1e-5, 0.0001, 1.5e300, 2 ^ 31, 2 ^ 32, 2 ^ 53, 5e-324, 1e21, 123456789012345678, 99999999999999, 999999999999999, 0.1 + 0.2, 3.0, 1e2, 314.16e-2, 0.31416E1, 12345678901234, 1.00000000000001, 1.000000000000001 }) do print(n, -n) end
--- long strings
local s = ("0123456789"):rep(1000)
print(#s, s:sub(5000, 5010), s:find("90", 9000, true), #s:gsub("5", "55"), #s:upper(), s:byte(-1))
local h = {}
for i = 1, 64 do h[("k"):rep(i)] = i end
local r = {}
for k, v in pairs(h) do r[#r + 1] = v end
print(table.concat(r, " "))
