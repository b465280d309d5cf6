--- unexpected symbol
x = = 1
--- missing end
if true then
  print(1)
--- missing end of function
local function f()
  return 1
--- unfinished string
print("abc
--- unfinished string at eof
print("abc
--- unfinished long string
print([[abc
--- unfinished comment
--[[ abc
--- malformed number
print(3x)
--- malformed number 2
print(1..2)
--- malformed number 3
print(0xg)
--- malformed number 4
print(1e)
--- bad escape
print("\300")
--- break outside
break
--- no loop to break
do break end
--- dots outside vararg
function f() return ... end
--- ambiguous call
local f = print
f
("x")
--- assignment to call
f() = 1
--- assignment to call in list
a, f() = 1, 2
--- expression statement
1 + 1
--- name statement
abc
--- name list
a, b
--- call of number
5()
--- unclosed paren
print((1 + 2)
--- unclosed paren on other line
print(
  1
x = 2
--- unclosed brace
x = { 1, 2
--- unclosed bracket
x = t[1
--- missing then
if x print(1) end
--- missing do
while true print(1) end
--- missing until
repeat print(1)
--- for without name
for 1 = 1, 2 do end
--- for without in
for a b do end
--- for one value
for i = 1 do end
--- local without name
local 1 = 2
--- function without name
function () end
--- bad parameter
function f(1) end
--- dots not last
function f(..., a) end
--- return not last
return 1
print(2)
--- else without if
else
--- end alone
end
--- bad token
x = @
--- bad token 2
x = $5
--- tilde alone
x = 1 ~ 2
--- control character
x =  1
--- method without call
local s = "x"
s:len
--- colon name
s:1()
--- dot number
x.1 = 2
--- reserved as name
local end = 1
--- reserved as field
t.end = 1
--- bracket string level
x = [=abc
--- nested long bracket
x = [[ a [[ b ]] ]]
--- missing expression
x = 
--- missing operand
x = 1 +
--- double not
print(not not not nil)
--- bad for list
for a, b, 1 in x do end
--- trailing comma in call
print(1,)
--- trailing comma in return
return 1,
--- equals in condition
if x = 1 then end
--- long token
local aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbb
--- string near
x = "some string" "other"
--- number near
x = 5 6
--- shebang is for files only
#!/usr/bin/lua
print(1)
--- too many nested parens
local s = string.rep("(", 300) .. "1" .. string.rep(")", 300)
print(loadstring("return " .. s))
print(loadstring("return " .. string.rep("{", 300)))
print(loadstring(string.rep("do ", 300)))
print(loadstring(string.rep("a = function() ", 300)))
print(loadstring("x = " .. string.rep("-", 300) .. "1"))
print(loadstring("x = " .. string.rep("a .. ", 300) .. "a"))
--- limits
local names = {}
for i = 1, 201 do names[i] = "a" .. i end
print(loadstring("local " .. table.concat(names, ",")))
print(loadstring("function f() local " .. table.concat(names, ",") .. " end"))
local src = {}
for i = 1, 100 do src[i] = "local a" .. i .. " = " .. i end
src[#src + 1] = "return function() return a1"
for i = 2, 61 do src[#src + 1] = " + a" .. i end
src[#src + 1] = " end"
print(loadstring(table.concat(src, "\n")))
local args = {}
for i = 1, 300 do args[i] = "1" end
print(loadstring("f(" .. table.concat(args, ",") .. ")"))
print(loadstring("return " .. table.concat(args, " + ")) ~= nil)
print(#loadstring("return {" .. table.concat(args, ",") .. "}")())
--- chunk names
print(loadstring("x x", "=name"))
print(loadstring("x x", "@file.lua"))
print(loadstring("x x", "source text"))
print(loadstring("x x"))
print(loadstring("x x\ny", "line one\nline two"))
print(loadstring("x x", string.rep("long", 30)))
print(loadstring("x x", "=" .. string.rep("long", 30)))
print(loadstring("x x", "@" .. string.rep("long", 30)))
print(loadstring("\n\nx x"))
print(type(loadstring("error('e')", "=n")))
print(pcall(loadstring("error('e')", "=n")))
print(pcall(loadstring("local a\nreturn a.b", "@f")))
--- load
local parts = { "return ", "1 ", "+ 2" }
local i = 0
print(load(function() i = i + 1 return parts[i] end)())
print(load(function() return nil end)())
print(load(function() return "x x" end, "=c") == nil)
i = 0
print(load(function() i = i + 1 return ({ "x ", "x" })[i] end, "=c"))
i = 0
print(load(function() i = i + 1 return ({ "return 1", "", " + 1" })[i] end)())
print(load(function() error("reader", 0) end))
print(load(function() return {} end))
print(pcall(load))
print(loadstring("return ...")(1, 2))
print(loadstring("local a = ... ; return a, ...")(5, 6))
print(type(loadstring("")))
print(type(loadstring("")))
