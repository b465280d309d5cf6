--- pairs order of small tables
local function show(t) local r = {} for k, v in pairs(t) do r[#r + 1] = tostring(k) .. "=" .. tostring(v) end print(table.concat(r, " ")) end
show({ 1, 2, 3 })
show({ a = 1, b = 2, c = 3 })
show({ 10, 20, x = 1, 30, y = 2 })
show({ [1] = "a", [2] = "b", [3] = "c" })
show({ [3] = "c", [2] = "b", [1] = "a" })
show({ [1.5] = 1, [-1] = 2, [0] = 3, [100] = 4, [1e10] = 5 })
show({ [true] = 1, [false] = 2, x = 3 })
show({ one = 1, two = 2, three = 3, four = 4, five = 5, six = 6, seven = 7, eight = 8, nine = 9, ten = 10 })
show({ "a", nil, "c", nil, "e" })
show({ n = nil, 1 })
--- pairs order after growth
local function show(t) local r = {} for k, v in pairs(t) do r[#r + 1] = tostring(k) end print(table.concat(r, " ")) end
local t = {}
for i = 1, 20 do t["key" .. i] = i show(t) end
for i = 1, 20, 2 do t["key" .. i] = nil end
show(t)
for i = 21, 30 do t["key" .. i] = i end
show(t)
t = {}
for i = 10, 1, -1 do t[i] = i show(t) end
t = {}
for i = 1, 40, 3 do t[i] = i end
show(t)
for i = 1, 40 do t[i] = i end
show(t)
t = {}
for i = 1, 10 do t[i * i] = i; t[-i] = i; t["s" .. i] = i end
show(t)
t = {}
for i = 1, 8 do t[i / 2] = i end
show(t)
--- pairs order with removal during traversal
local t = {}
for i = 1, 12 do t["k" .. i] = i end
local r = {}
for k, v in pairs(t) do r[#r + 1] = k t[k] = nil end
print(table.concat(r, " "), next(t))
for i = 1, 12 do t["k" .. i] = i end
r = {}
for k, v in pairs(t) do r[#r + 1] = k if v % 2 == 0 then t[k] = nil else t[k] = v * 2 end end
print(table.concat(r, " "))
r = {}
for k, v in pairs(t) do r[#r + 1] = k .. v end
print(table.concat(r, " "))
--- array part and hash part
local t = { 1, 2, 3, nil, 5 }
print(#t)
t = { 1, 2, 3, nil, 5, nil }
print(#t)
t = { nil, nil, 3 }
print(#t)
t = { n = 1, nil }
print(#t)
t = {}
t[1] = 1 t[2] = 2 t[4] = 4
print(#t)
t[3] = 3
print(#t)
t[5] = nil
print(#t)
t = {}
for i = 1, 10 do t[i] = i end
t[5] = nil
print(#t)
t[10] = nil
print(#t)
t[9] = nil t[8] = nil
print(#t)
for i = 10, 1, -1 do t[i] = nil end
print(#t)
t = { 1, 2, 3 }
t[#t + 1] = 4
t[#t + 1] = 5
t[#t] = nil
print(#t, t[4], t[5])
t = {}
t[3] = 3 print(#t) t[2] = 2 print(#t) t[1] = 1 print(#t)
t = {} for i = 1, 100 do t[i] = true end for i = 51, 100 do t[i] = nil end print(#t)
t = {} for i = 2, 100, 2 do t[i] = true end print(#t)
--- length after many shapes
local r = {}
for n = 0, 20 do
  for hole = 1, n do
    local t = {}
    for i = 1, n do t[i] = i end
    t[hole] = nil
    r[#r + 1] = #t
  end
end
print(table.concat(r, ","))
r = {}
for n = 0, 12 do
  for hole = 1, n do
    local t = {}
    for i = n, 1, -1 do if i ~= hole then t[i] = i end end
    r[#r + 1] = #t
  end
end
print(table.concat(r, ","))
--- keys
local t = {}
t[1] = "num" t["1"] = "str" t[1.0] = "float"
print(t[1], t["1"], #t)
t[0] = "zero" t[-0] = "minus zero"
print(t[0], t[-0])
local k1, k2 = {}, {}
t[k1] = 1 t[k2] = 2
print(t[k1], t[k2], t[{}])
t[print] = "p" t[true] = "t"
print(t[print], t[true], t[false])
t[2 ^ 53] = "big"
print(t[9007199254740992], t[1e300])
t[1e300] = 1
print(t[1e300])
t["a\0b"] = 1 t["a\0c"] = 2
print(t["a\0b"], t["a\0c"], t["a"])
print(pcall(function() t[nil] = 1 end), t[nil])
--- next
print(next({}), next({ 5 }), next({ a = 1 }))
local t = { 1, 2, x = 3 }
print(next(t), next(t, 1), next(t, 2), next(t, "x"))
print(pcall(next, t, "zz"), pcall(next, t, 3), pcall(next, t, {}))
print(pcall(next), rawequal(next(t), 1))
--- insert and remove
local t = {}
table.insert(t, "a") table.insert(t, "b") table.insert(t, 1, "c") table.insert(t, 2, "d")
print(table.concat(t, ","))
table.insert(t, 10, "far")
print(#t, t[10])
print(table.remove(t), table.remove(t, 1), table.concat(t, ","))
print(table.remove(t, 5), table.remove({}), table.remove(t, 0), #t)
print(table.remove(t, 1), table.remove(t), table.remove(t))
print(select("#", table.remove({})), select("#", table.insert({}, 1)))
t = { 1, 2, 3 }
table.insert(t, -1, "neg")
print(#t, t[-1], t[0], t[1], t[4])
print(table.insert({}, "x"))
t = { n = 5 }
table.insert(t, 1)
print(#t, t.n)
--- concat
print(table.concat({}), table.concat({ 1 }), table.concat({ 1, 2, 3 }), table.concat({ 1, 2, 3 }, ", "))
print(table.concat({ 1, 2, 3 }, "-", 2), table.concat({ 1, 2, 3 }, "-", 2, 3), table.concat({ 1, 2, 3 }, "-", 3, 2))
print(table.concat({ "a", 1, 2.5, "b" }, 0), table.concat({ 1, 2 }, "", 1, 1))
print(pcall(table.concat, { 1, nil, 3 }), pcall(table.concat, { 1, true }), pcall(table.concat, {}, "", 1, 1))
print(pcall(table.concat, 1), pcall(table.concat, {}, {}))
--- maxn getn setn foreach
print(table.maxn({}), table.maxn({ 1, 2, 3 }), table.maxn({ [10.5] = 1, [3] = 2, x = 4 }), table.maxn({ [-1] = 1 }))
print(table.getn({ 1, 2, 3 }), pcall(table.setn, {}, 1))
table.foreach({ 1, 2, x = 3 }, print)
table.foreachi({ 1, 2, 3, nil, 5, x = 3 }, print)
print(table.foreach({ 1, 2, 3 }, function(k, v) if v == 2 then return "found", k end end))
print(table.foreachi({ 1, 2, 3 }, function(i, v) if v == 2 then return i * 10 end end))
print(table.foreach({}, print), pcall(table.foreach, {}), pcall(table.foreachi, 1, print))
print(pcall(table.foreach, { 1 }, error))
--- unpack
print(unpack({ 1, 2, 3 }), unpack({}))
print(unpack({ 1, nil, 3 }))
print(unpack({ 1, 2, 3 }, 2), unpack({ 1, 2, 3 }, 2, 3))
print(unpack({ 1, 2, 3 }, -1, 1))
print(unpack({ 1, 2 }, 1, 5))
print(unpack({}, 1, 0), unpack({ n = 3 }, 1, 2))
print((unpack({ 1, 2, 3 })))
print(select("#", unpack({}, 1, 300)))
print(pcall(unpack, {}, 1, 8000))
print(pcall(unpack, {}, -1e8, 1e8))
--- sort
local function s(t, f) table.sort(t, f) print(table.concat(t, " ")) end
s({ 3, 1, 2 })
s({})
s({ 1 })
s({ 2, 1 })
s({ "b", "a", "c", "B", "A", "" })
s({ 5, 2, 8, 1, 9, 3, 7, 4, 6, 0 }, function(a, b) return a > b end)
s({ 3, 3, 3, 1, 1, 2, 2 })
local t = {}
for i = 1, 100 do t[i] = (i * 7919) % 101 end
s(t)
s(t, function(a, b) return a % 10 < b % 10 end)
s({ "x10", "x9", "x1" }, function(a, b) return tonumber(a:sub(2)) < tonumber(b:sub(2)) end)
--- sort shows its comparisons
local log = {}
local t = { 5, 3, 8, 1, 9, 2, 7 }
table.sort(t, function(a, b) log[#log + 1] = a .. "<" .. b return a < b end)
print(table.concat(log, " "))
log = {}
t = {}
for i = 1, 20 do t[i] = (i * 13) % 7 end
table.sort(t, function(a, b) log[#log + 1] = a .. "<" .. b return a < b end)
print(table.concat(log, " "))
--- sort of equal keys
local t = {}
for i = 1, 30 do t[i] = { k = i % 4, i = i } end
table.sort(t, function(a, b) return a.k < b.k end)
local r = {}
for i, v in ipairs(t) do r[i] = v.k .. ":" .. v.i end
print(table.concat(r, " "))
--- sort errors
print(pcall(table.sort, { 1, "x", 2 }))
print(pcall(table.sort, { 1, {}, 2 }))
print(pcall(table.sort, { true, false }))
print(pcall(table.sort, { 1, 2, 3, nil, 5 }))
print(pcall(table.sort, { 3, 2, 1 }, function(a, b) error("cmp", 0) end))
print(pcall(table.sort, { 1, 2 }, 5))
print(pcall(table.sort, 5))
print(pcall(function() table.sort({ 1, 2, 3, 4, 5 }, function(a, b) return true end) end))
print(pcall(function() local t = {} for i = 1, 50 do t[i] = i end table.sort(t, function(a, b) return true end) end))
print(pcall(function() table.sort({ 3, 1, 2 }, function(a, b) return a.x < b.x end) end))
--- sort with metamethod
local mt = { __lt = function(a, b) return a.v < b.v end }
local t = {}
for i, v in ipairs({ 3, 1, 2, 5, 4 }) do t[i] = setmetatable({ v = v }, mt) end
table.sort(t)
local r = {}
for i, o in ipairs(t) do r[i] = o.v end
print(table.concat(r, " "))
--- sort in a coroutine does not yield
local co = coroutine.create(function()
  table.sort({ 3, 2, 1 }, function(a, b) coroutine.yield() return a < b end)
end)
print(coroutine.resume(co))
--- nested tables
local t = { { 1, 2 }, { 3, 4, { 5 } }, k = { k = { k = "deep" } } }
print(t[1][2], t[2][3][1], t.k.k.k, #t, #t[2])
t.k.k.k = t
print(t.k.k.k.k.k.k == t)
--- a table as queue and set
local q, first, last = {}, 1, 0
for i = 1, 1000 do last = last + 1 q[last] = i if i % 3 == 0 then q[first] = nil first = first + 1 end end
local sum = 0
for i = first, last do sum = sum + q[i] end
print(first, last, sum)
local set = {}
for i = 1, 100 do set[(i * i) % 37] = true end
local n = 0
for k in pairs(set) do n = n + k end
print(n)
--- weak tables
local weak = setmetatable({}, { __mode = "v" })
weak[1] = {} weak[2] = "string" weak.x = {} local kept = {} weak.y = kept
collectgarbage() collectgarbage()
print(weak[1], weak[2], weak.x, weak.y == kept)
local wk = setmetatable({}, { __mode = "k" })
wk[{}] = 1 wk[kept] = 2 wk.str = {}
collectgarbage() collectgarbage()
local n = 0 for k, v in pairs(wk) do n = n + 1 end
print(n, wk[kept])
--- garbage is collected while running
local t = {}
for i = 1, 200000 do t = { t = { i } } end
print(t.t[1], collectgarbage("count") < 100000)
local s = ""
for i = 1, 1000 do s = s .. "x" end
print(#s)
--- ipairs stops
local t = { 1, 2, 3 }
for i, v in ipairs(t) do if i < 10 then t[i + 1] = v + 1 end end
print(#t)
for i, v in ipairs({}) do print("never") end
local p = setmetatable({}, { __index = function(t, i) if i < 4 then return i * i end end })
for i, v in ipairs(p) do print("never", i, v) end
