--- return redis.error_reply("x y")
return redis.error_reply("x y")
--- return redis.error_reply("-X y")
return redis.error_reply("-X y")
--- return redis.error_reply("")
return redis.error_reply("")
--- return redis.error_reply("abc")
return redis.error_reply("abc")
--- return redis.status_reply("x y")
return redis.status_reply("x y")
--- return {err="abc"}
return {err="abc"}
--- return {err="-abc"}
return {err="-abc"}
--- return {err="a\r\nb"}
return {err="a\r\nb"}
--- return {ok="abc"}
return {ok="abc"}
--- return {ok="a\nb"}
return {ok="a\nb"}
--- return 3.99
return 3.99
--- return -3.99
return -3.99
--- return 1e300
return 1e300
--- return -1e300
return -1e300
--- return 0/0
return 0/0
--- return 2^53
return 2^53
--- return 2^62
return 2^62
--- return true
return true
--- return false
return false
--- return nil
return nil
--- return
return
--- return {1,2,nil,4}
return {1,2,nil,4}
--- return {1,{2,{3}},"x",true,false}
return {1,{2,{3}},"x",true,false}
--- return {a=1}
return {a=1}
--- return {}
return {}
--- return tostring
return tostring
--- return coroutine.create(function() end)
return coroutine.create(function() end)
--- return {tostring, 1}
return {tostring, 1}
--- return {double=3.5}
return {double=3.5}
--- return {map={a=1}}
return {map={a=1}}
--- return {set={a=true}}
return {set={a=true}}
--- return {big_number="123"}
return {big_number="123"}
--- return {verbatim_string={format="txt",string="x"}}
return {verbatim_string={format="txt",string="x"}}
--- return {err=5}
return {err=5}
--- return {ok=5}
return {ok=5}
--- return {ok={}}
return {ok={}}
--- return {double="x"}
return {double="x"}
--- return "a\0b"
return "a\0b"
--- return "x",2
return "x",2
--- return unpack({1,2,3})
return unpack({1,2,3})
--- return 9007199254740993
return 9007199254740993
--- return -9223372036854775808
return -9223372036854775808
--- return {1,2,3,n=5,{err="x"}}
return {1,2,3,n=5,{err="x"}}
--- return {1,{ok="fine"},3}
return {1,{ok="fine"},3}
--- return {[1]=1,[2]=2,[4]=4}
return {[1]=1,[2]=2,[4]=4}
--- return {[2]=2}
return {[2]=2}
--- local t = {} for i=10,1,-1 do t[i]=i end return t
local t = {} for i=10,1,-1 do t[i]=i end return t
--- return {nil,2}
return {nil,2}
--- return {1,cjson.null,2}
return {1,cjson.null,2}
--- return cjson.null
return cjson.null
--- return tostring(cjson.null)
return tostring(cjson.null)
--- return {KEYS[1], ARGV[1], #KEYS}
return {KEYS[1], ARGV[1], #KEYS}
--- KEYS[1]=5 return KEYS
KEYS[1]=5 return KEYS
--- redis.call("set","k",0.1) return redis.call("get","k")
redis.call("set","k",0.1) return redis.call("get","k")
--- redis.call("set","k",1e20) return redis.call("get","k")
redis.call("set","k",1e20) return redis.call("get","k")
--- redis.call("set","k",10) return redis.call("get","k")
redis.call("set","k",10) return redis.call("get","k")
--- redis.call("set","k",2^53) return redis.call("get","k")
redis.call("set","k",2^53) return redis.call("get","k")
--- redis.call("set","k",-1.5e-7) return redis.call("get","k")
redis.call("set","k",-1.5e-7) return redis.call("get","k")
--- redis.call("set",1,2) return redis.call("get","1")
redis.call("set",1,2) return redis.call("get","1")
--- local r={} for k,v in pairs(redis.call("set","a","b")) do r[#r+1]=k..v end return r
local r={} for k,v in pairs(redis.call("set","a","b")) do r[#r+1]=k..v end return r
--- return {redis.call("ping"), redis.call("exists","nosuch")}
return {redis.call("ping"), redis.call("exists","nosuch")}
--- return redis.call("mget","nosuch1","nosuch2")
return redis.call("mget","nosuch1","nosuch2")
--- return tostring(redis.call("get","nosuch"))
return tostring(redis.call("get","nosuch"))
--- return redis.call("get","nosuch") == false
return redis.call("get","nosuch") == false
--- redis.call("rpush","l",1,2,3) return redis.call("lrange","l",0,-1)
redis.call("rpush","l",1,2,3) return redis.call("lrange","l",0,-1)
--- redis.call("rpush","l",1,2,3) return #redis.call("lrange","l",0,-1)
redis.call("rpush","l",1,2,3) return #redis.call("lrange","l",0,-1)
--- redis.call("hset","h","a",1,"b",2) return redis.call("hgetall","h")
redis.call("hset","h","a",1,"b",2) return redis.call("hgetall","h")
--- redis.setresp(3) redis.call("hset","h","a",1) local m= redis.call("hgetall","h") return type(m.map)..m.map.a
redis.setresp(3) redis.call("hset","h","a",1) local m= redis.call("hgetall","h") return type(m.map)..m.map.a
--- redis.setresp(3) local m= redis.call("get","none") return tostring(m)
redis.setresp(3) local m= redis.call("get","none") return tostring(m)
--- redis.setresp(3) redis.call("zadd","z",1.5,"m") local m= redis.call("zscore","z","m") return type(m)..m.double
redis.setresp(3) redis.call("zadd","z",1.5,"m") local m= redis.call("zscore","z","m") return type(m)..m.double
--- redis.setresp(3) redis.call("sadd","s","a") local m= redis.call("smembers","s") local r={} for k,v in pairs(m) do for a,b in pairs(v) do r[#r+1]=k..a..tostring(b) end end return r
redis.setresp(3) redis.call("sadd","s","a") local m= redis.call("smembers","s") local r={} for k,v in pairs(m) do for a,b in pairs(v) do r[#r+1]=k..a..tostring(b) end end return r
--- redis.call("zadd","z",1.5,"m") return redis.call("zscore","z","m")
redis.call("zadd","z",1.5,"m") return redis.call("zscore","z","m")
--- redis.call("zadd","z",1.5,"m") return redis.call("zrange","z",0,-1,"withscores")
redis.call("zadd","z",1.5,"m") return redis.call("zrange","z",0,-1,"withscores")
--- return redis.call("time")[3]
return redis.call("time")[3]
--- return type(redis.call("time")[1])
return type(redis.call("time")[1])
--- return redis.REDIS_VERSION_NUM > 0
return redis.REDIS_VERSION_NUM > 0
--- return {redis.LOG_DEBUG, redis.LOG_VERBOSE, redis.LOG_NOTICE, redis.LOG_WARNING}
return {redis.LOG_DEBUG, redis.LOG_VERBOSE, redis.LOG_NOTICE, redis.LOG_WARNING}
--- return {redis.REPL_ALL, redis.REPL_AOF, redis.REPL_NONE, redis.REPL_REPLICA, redis.REPL_SLAVE}
return {redis.REPL_ALL, redis.REPL_AOF, redis.REPL_NONE, redis.REPL_REPLICA, redis.REPL_SLAVE}
--- return coroutine.wrap(function() return redis.call("ping") end)()
return coroutine.wrap(function() return redis.call("ping") end)()
--- return {pcall(function() return redis.call("set","a","b") end)}
return {pcall(function() return redis.call("set","a","b") end)}
--- local t={} for k,v in ipairs({3,1,2}) do t[k]=v end table.sort(t, function(a,b) redis.call("incr","n") return a<b end) return {t[1],t[2],t[3],redis.call("get","n")}
local t={} for k,v in ipairs({3,1,2}) do t[k]=v end table.sort(t, function(a,b) redis.call("incr","n") return a<b end) return {t[1],t[2],t[3],redis.call("get","n")}
--- return (string.gsub("abc", ".", function(c) redis.call("append","s",c) return redis.call("get","s") end))
return (string.gsub("abc", ".", function(c) redis.call("append","s",c) return redis.call("get","s") end))
--- local t = setmetatable({}, {__index=function(_, k) return redis.call("incr", k) end}) return t.x + t.x
local t = setmetatable({}, {__index=function(_, k) return redis.call("incr", k) end}) return t.x + t.x
