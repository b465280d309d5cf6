--- return foo
return foo
--- foo=1
foo=1
--- string.x=1
string.x=1
--- string.sub=1
string.sub=1
--- _G.x=1
_G.x=1
--- rawset(_G,"x",1)
rawset(_G,"x",1)
--- setmetatable(_G,{})
setmetatable(_G,{})
--- getmetatable("").__index=1
getmetatable("").__index=1
--- return type(getmetatable(_G))
return type(getmetatable(_G))
--- return redis.call()
return redis.call()
--- return redis.call({})
return redis.call({})
--- return redis.pcall()
return redis.pcall()
--- return redis.pcall({})
return redis.pcall({})
--- error("x")
error("x")
--- error({err="My error"})
error({err="My error"})
--- error({err="-MY error"})
error({err="-MY error"})
--- error(5)
error(5)
--- error("with level", 0)
error("with level", 0)
--- error("l2",2)
error("l2",2)
--- local a a.b=1
local a a.b=1
--- return KEYS.y.z
return KEYS.y.z
--- local t={} t.x.y=1
local t={} t.x.y=1
--- x x
x x
--- return 1 +
return 1 +
--- return tostring(newproxy)
return tostring(newproxy)
--- local function f() error("in f") end f()
local function f() error("in f") end f()
--- error(redis.error_reply("CUSTOM x"))
error(redis.error_reply("CUSTOM x"))
--- assert(false, "m")
assert(false, "m")
--- return _G.foo
return _G.foo
--- local x = setmetatable({}, {__index=_G}) return x.foo
local x = setmetatable({}, {__index=_G}) return x.foo
--- return table.concat({1,2,{}})
return table.concat({1,2,{}})
--- KEYS=1
KEYS=1
--- return getfenv
return getfenv
--- return print
return print
--- return require
return require
--- return debug
return debug
--- return os
return os
--- return io
return io
--- return {select(2,pcall(error,{err="x"}))}
return {select(2,pcall(error,{err="x"}))}
--- return type(select(2,pcall(error,{a=1})))
return type(select(2,pcall(error,{a=1})))
--- return type(select(2,pcall(error,{err=5})))
return type(select(2,pcall(error,{err=5})))
--- return {xpcall(function() error({err="q"}) end, function(e) return type(e) end)}
return {xpcall(function() error({err="q"}) end, function(e) return type(e) end)}
--- return redis.call("lpush", redis.call("set","l",1) and "l", 1)
return redis.call("lpush", redis.call("set","l",1) and "l", 1)
--- redis.call("set","l",1) return redis.pcall("lpush","l",1)
redis.call("set","l",1) return redis.pcall("lpush","l",1)
--- redis.call("set","l",1) local ok,e=pcall(redis.call,"lpush","l",1) return {type(e),e}
redis.call("set","l",1) local ok,e=pcall(redis.call,"lpush","l",1) return {type(e),e}
--- redis.call("set","l",1) local ok,e=pcall(redis.call,"lpush","l",1) error(e)
redis.call("set","l",1) local ok,e=pcall(redis.call,"lpush","l",1) error(e)
--- redis.call("set","l",1) local e=redis.pcall("lpush","l",1) error(e)
redis.call("set","l",1) local e=redis.pcall("lpush","l",1) error(e)
--- redis.call("set","l",1) return redis.pcall("lpush","l",1).err
redis.call("set","l",1) return redis.pcall("lpush","l",1).err
--- return redis.call("SET","a","b","c")
return redis.call("SET","a","b","c")
--- return redis.call("incr",KEYS[1])
return redis.call("incr",KEYS[1])
--- table.insert(string, 1)
table.insert(string, 1)
--- local t = {} t[nil] = 1
local t = {} t[nil] = 1
--- return nil .. "x"
return nil .. "x"
--- return {} < {}
return {} < {}
--- return ("x").y.z
return ("x").y.z
--- return loadstring("return foo")()
return loadstring("return foo")()
--- return {loadstring("return 1+")}
return {loadstring("return 1+")}
--- return {pcall(loadstring("error('e')", "=n"))}
return {pcall(loadstring("error('e')", "=n"))}
--- for k in pairs(redis) do redis[k] = nil end
for k in pairs(redis) do redis[k] = nil end
--- string.format = nil
string.format = nil
--- math.pi = 3
math.pi = 3
--- table.remove(_G)
table.remove(_G)
