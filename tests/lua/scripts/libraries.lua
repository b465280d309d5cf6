--- return redis.sha1hex("abc")
return redis.sha1hex("abc")
--- return redis.sha1hex("")
return redis.sha1hex("")
--- return redis.sha1hex(1.5)
return redis.sha1hex(1.5)
--- return redis.sha1hex()
return redis.sha1hex()
--- return redis.sha1hex(1,2)
return redis.sha1hex(1,2)
--- return redis.error_reply()
return redis.error_reply()
--- return redis.error_reply(1)
return redis.error_reply(1)
--- return redis.status_reply(1,2)
return redis.status_reply(1,2)
--- return redis.replicate_commands()
return redis.replicate_commands()
--- return redis.set_repl(9)
return redis.set_repl(9)
--- return redis.set_repl(3)
return redis.set_repl(3)
--- return redis.breakpoint()
return redis.breakpoint()
--- return redis.log(1)
return redis.log(1)
--- return redis.log(9,"x")
return redis.log(9,"x")
--- return redis.log("x","y")
return redis.log("x","y")
--- return redis.log(redis.LOG_DEBUG,"x")
return redis.log(redis.LOG_DEBUG,"x")
--- return math.random(100)
return math.random(100)
--- return tostring(math.random())..tostring(math.random())
return tostring(math.random())..tostring(math.random())
--- return {math.random(100),math.random(100),math.random(5,10),math.random(1000000)}
return {math.random(100),math.random(100),math.random(5,10),math.random(1000000)}
--- math.randomseed(42) return {math.random(100),math.random(100),math.random(100)}
math.randomseed(42) return {math.random(100),math.random(100),math.random(100)}
--- math.randomseed(-1) return math.random(1000)
math.randomseed(-1) return math.random(1000)
--- math.randomseed(1e10) return math.random(1000)
math.randomseed(1e10) return math.random(1000)
--- local r={} for k,v in pairs(_G) do if k ~= "__redis__err__handler" then r[#r+1]=k..":"..type(v) end end table.sort(r) return r
local r={} for k,v in pairs(_G) do if k ~= "__redis__err__handler" then r[#r+1]=k..":"..type(v) end end table.sort(r) return r
--- local r={} for _,l in ipairs({string,table,math,coroutine,cjson,cmsgpack,struct,bit,redis}) do for k,v in pairs(l) do r[#r+1]=k..type(v) end end table.sort(r) return r
local r={} for _,l in ipairs({string,table,math,coroutine,cjson,cmsgpack,struct,bit,redis}) do for k,v in pairs(l) do r[#r+1]=k..type(v) end end table.sort(r) return r
--- return cjson.encode({1,2,{a="x/y\"\\\n\127\1\b\t\f\r"}})
return cjson.encode({1,2,{a="x/y\"\\\n\127\1\b\t\f\r"}})
--- return cjson.encode({})
return cjson.encode({})
--- return cjson.encode(0/0)
return cjson.encode(0/0)
--- return cjson.encode()
return cjson.encode()
--- return cjson.encode(1,2)
return cjson.encode(1,2)
--- return cjson.encode({[1]=1,[100]=2})
return cjson.encode({[1]=1,[100]=2})
--- return cjson.encode({[1]=1,[3]=2})
return cjson.encode({[1]=1,[3]=2})
--- return cjson.encode({[1.5]=1})
return cjson.encode({[1.5]=1})
--- return cjson.encode({[true]=1})
return cjson.encode({[true]=1})
--- return cjson.encode(tostring)
return cjson.encode(tostring)
--- return cjson.encode({1,nil,3})
return cjson.encode({1,nil,3})
--- return cjson.encode({[1]=1,x=2})
return cjson.encode({[1]=1,x=2})
--- return cjson.encode({[0]=1})
return cjson.encode({[0]=1})
--- return cjson.encode({[-1]=1})
return cjson.encode({[-1]=1})
--- return cjson.encode(1e15)..cjson.encode(0.1)..cjson.encode(-0)..cjson.encode(1/3)
return cjson.encode(1e15)..cjson.encode(0.1)..cjson.encode(-0)..cjson.encode(1/3)
--- return cjson.encode(true)..cjson.encode(false)..cjson.encode(nil)..cjson.encode("s")
return cjson.encode(true)..cjson.encode(false)..cjson.encode(nil)..cjson.encode("s")
--- return cjson.encode({a={b={c={1,2,{d=false}}}}})
return cjson.encode({a={b={c={1,2,{d=false}}}}})
--- local t={} for i=1,1002 do t={t} end return cjson.encode(t)
local t={} for i=1,1002 do t={t} end return cjson.encode(t)
--- local t={} for i=1,900 do t={t} end return #cjson.encode(t)
local t={} for i=1,900 do t={t} end return #cjson.encode(t)
--- return cjson.encode(cjson.null)
return cjson.encode(cjson.null)
--- return cjson.encode({a=cjson.null})
return cjson.encode({a=cjson.null})
--- local t={} for i=1,20 do t["k"..i]=i end return cjson.encode(t)
local t={} for i=1,20 do t["k"..i]=i end return cjson.encode(t)
--- return cjson.decode("[1,2")
return cjson.decode("[1,2")
--- return cjson.decode("")
return cjson.decode("")
--- return cjson.decode("{}x")
return cjson.decode("{}x")
--- return cjson.decode("{1:2}")
return cjson.decode("{1:2}")
--- return cjson.decode("{\"a\" 2}")
return cjson.decode("{\"a\" 2}")
--- return cjson.decode("{\"a\":2,}")
return cjson.decode("{\"a\":2,}")
--- return cjson.decode("{\"a\":2 \"b\":3}")
return cjson.decode("{\"a\":2 \"b\":3}")
--- return cjson.decode("[1 2]")
return cjson.decode("[1 2]")
--- return cjson.decode("nope")
return cjson.decode("nope")
--- return cjson.decode("\"abc")
return cjson.decode("\"abc")
--- return cjson.decode("\"\\q\"")
return cjson.decode("\"\\q\"")
--- return cjson.decode("\"\\ud800\"")
return cjson.decode("\"\\ud800\"")
--- return cjson.decode("\"\\u12\"")
return cjson.decode("\"\\u12\"")
--- return cjson.decode("\"\\u00e9\\ud83d\\ude00\\u0041\\b\\t\\n\\f\\r\\/\\\\\\\"\"")
return cjson.decode("\"\\u00e9\\ud83d\\ude00\\u0041\\b\\t\\n\\f\\r\\/\\\\\\\"\"")
--- return tostring(cjson.decode("0x10"))
return tostring(cjson.decode("0x10"))
--- return tostring(cjson.decode("inf"))
return tostring(cjson.decode("inf"))
--- return tostring(cjson.decode("-inf"))
return tostring(cjson.decode("-inf"))
--- return tostring(cjson.decode("nan")):gsub("-","")
return tostring(cjson.decode("nan")):gsub("-","")
--- return tostring(cjson.decode("-"))
return tostring(cjson.decode("-"))
--- return tostring(cjson.decode("+5"))
return tostring(cjson.decode("+5"))
--- return tostring(cjson.decode("1e3"))..tostring(cjson.decode("1.5e-3"))..tostring(cjson.decode("-0"))
return tostring(cjson.decode("1e3"))..tostring(cjson.decode("1.5e-3"))..tostring(cjson.decode("-0"))
--- return cjson.decode("1.2.3")
return cjson.decode("1.2.3")
--- return cjson.decode("1e")
return cjson.decode("1e")
--- return tostring(cjson.decode("[1,2,3]")[3])
return tostring(cjson.decode("[1,2,3]")[3])
--- return cjson.decode(("["):rep(1001))
return cjson.decode(("["):rep(1001))
--- return cjson.decode("[01]")
return cjson.decode("[01]")
--- return cjson.decode("[1,]")
return cjson.decode("[1,]")
--- return cjson.decode("[tru]")
return cjson.decode("[tru]")
--- return cjson.decode()
return cjson.decode()
--- return cjson.decode({})
return cjson.decode({})
--- return cjson.decode("\0a")
return cjson.decode("\0a")
--- return cjson.decode(5)
return cjson.decode(5)
--- return cjson.decode("[1,null,3]")
return cjson.decode("[1,null,3]")
--- return cjson.decode("[true,false,\"x\",[],{}]")
return cjson.decode("[true,false,\"x\",[],{}]")
--- return cjson.decode("  [ 1 , { \"a\" : [ 2 ] } ]  ")[2].a
return cjson.decode("  [ 1 , { \"a\" : [ 2 ] } ]  ")[2].a
--- local t = cjson.decode('{"x":1,"y":{"z":[1,2]}}') return {t.x, t.y.z[2], tostring(t.y.q)}
local t = cjson.decode('{"x":1,"y":{"z":[1,2]}}') return {t.x, t.y.z[2], tostring(t.y.q)}
--- local r={} for k,v in pairs(cjson.decode('{"one":1,"two":2,"three":3,"four":4,"five":5}')) do r[#r+1]=k end return r
local r={} for k,v in pairs(cjson.decode('{"one":1,"two":2,"three":3,"four":4,"five":5}')) do r[#r+1]=k end return r
--- return cjson.encode(cjson.decode('{"a":[1,2,{"b":null}],"c":"d"}'))
return cjson.encode(cjson.decode('{"a":[1,2,{"b":null}],"c":"d"}'))
--- return {cjson.encode_sparse_array()}
return {cjson.encode_sparse_array()}
--- return {cjson.encode_max_depth(), cjson.decode_max_depth(), cjson.encode_number_precision(), cjson.encode_keep_buffer(), cjson.encode_invalid_numbers(), cjson.decode_invalid_numbers()}
return {cjson.encode_max_depth(), cjson.decode_max_depth(), cjson.encode_number_precision(), cjson.encode_keep_buffer(), cjson.encode_invalid_numbers(), cjson.decode_invalid_numbers()}
--- return cjson.encode_max_depth(0)
return cjson.encode_max_depth(0)
--- return cjson.encode_max_depth(1,2)
return cjson.encode_max_depth(1,2)
--- return cjson.encode_number_precision(99)
return cjson.encode_number_precision(99)
--- return cjson.encode_number_precision("x")
return cjson.encode_number_precision("x")
--- return cjson.encode_invalid_numbers("bad")
return cjson.encode_invalid_numbers("bad")
--- return cjson._NAME..cjson._VERSION
return cjson._NAME..cjson._VERSION
--- return cmsgpack.pack()
return cmsgpack.pack()
--- return cmsgpack.pack(1,-1,300,1.5,0.1,"x",true,nil,{1,2},{a=1},{})
return cmsgpack.pack(1,-1,300,1.5,0.1,"x",true,nil,{1,2},{a=1},{})
--- return cmsgpack.pack(0,127,128,255,256,65535,65536,2^31,2^32,2^53,-32,-33,-128,-129,-32768,-32769,-2^31,-2^31-1,2^63,2^64,-2^63)
return cmsgpack.pack(0,127,128,255,256,65535,65536,2^31,2^32,2^53,-32,-33,-128,-129,-32768,-32769,-2^31,-2^31-1,2^63,2^64,-2^63)
--- return cmsgpack.pack(("x"):rep(31),("x"):rep(32),("x"):rep(256))
return cmsgpack.pack(("x"):rep(31),("x"):rep(32),("x"):rep(256))
--- return #cmsgpack.pack(("x"):rep(70000))
return #cmsgpack.pack(("x"):rep(70000))
--- return cmsgpack.pack(1/0,-1/0,1e300,1e-300,-0)
return cmsgpack.pack(1/0,-1/0,1e300,1e-300,-0)
--- return cmsgpack.pack({1,nil,3},{[1]=1,[3]=3},{[0]=1},{[1.5]=2},{[true]=1})
return cmsgpack.pack({1,nil,3},{[1]=1,[3]=3},{[0]=1},{[1.5]=2},{[true]=1})
--- local t={} for i=1,20 do t[i]=i end return cmsgpack.pack(t)
local t={} for i=1,20 do t[i]=i end return cmsgpack.pack(t)
--- local t={} for i=1,20 do t={t} end return cmsgpack.pack(t)
local t={} for i=1,20 do t={t} end return cmsgpack.pack(t)
--- return cmsgpack.pack(tostring)
return cmsgpack.pack(tostring)
--- return cmsgpack.unpack("\255\200\1")
return cmsgpack.unpack("\255\200\1")
--- return {cmsgpack.unpack("\1\2\3")}
return {cmsgpack.unpack("\1\2\3")}
--- return cmsgpack.unpack("\221")
return cmsgpack.unpack("\221")
--- return cmsgpack.unpack("\193")
return cmsgpack.unpack("\193")
--- return cmsgpack.unpack("\163ab")
return cmsgpack.unpack("\163ab")
--- return {cmsgpack.unpack(cmsgpack.pack(1,-1,300,"x",true,{1,2},-70000,2^40))}
return {cmsgpack.unpack(cmsgpack.pack(1,-1,300,"x",true,{1,2},-70000,2^40))}
--- return tostring(cmsgpack.unpack(cmsgpack.pack(0.1)))..tostring(cmsgpack.unpack(cmsgpack.pack(1.5)))
return tostring(cmsgpack.unpack(cmsgpack.pack(0.1)))..tostring(cmsgpack.unpack(cmsgpack.pack(1.5)))
--- return cmsgpack.unpack(cmsgpack.pack({a=1,b={c=2}})).b.c
return cmsgpack.unpack(cmsgpack.pack({a=1,b={c=2}})).b.c
--- return {cmsgpack.unpack_one("\1\2\3")}
return {cmsgpack.unpack_one("\1\2\3")}
--- return {cmsgpack.unpack_one("\1\2\3",2)}
return {cmsgpack.unpack_one("\1\2\3",2)}
--- return {cmsgpack.unpack_one("")}
return {cmsgpack.unpack_one("")}
--- return {cmsgpack.unpack_limit("\1\2\3",2)}
return {cmsgpack.unpack_limit("\1\2\3",2)}
--- return {cmsgpack.unpack_limit("\1\2\3",2,1)}
return {cmsgpack.unpack_limit("\1\2\3",2,1)}
--- return {cmsgpack.unpack_limit("\1\2\3",2,9)}
return {cmsgpack.unpack_limit("\1\2\3",2,9)}
--- return {cmsgpack.unpack_limit("\1\2\3",-1)}
return {cmsgpack.unpack_limit("\1\2\3",-1)}
--- return {cmsgpack.unpack_limit("\1\2\3",0,0)}
return {cmsgpack.unpack_limit("\1\2\3",0,0)}
--- return {cmsgpack.unpack_limit("\1\2\3",0,1)}
return {cmsgpack.unpack_limit("\1\2\3",0,1)}
--- return cmsgpack.unpack()
return cmsgpack.unpack()
--- return cmsgpack.unpack(5)
return cmsgpack.unpack(5)
--- return cmsgpack.unpack("\129\192\1")
return cmsgpack.unpack("\129\192\1")
--- return table.concat({cmsgpack._NAME,cmsgpack._VERSION,cmsgpack._COPYRIGHT,cmsgpack._DESCRIPTION},"|")
return table.concat({cmsgpack._NAME,cmsgpack._VERSION,cmsgpack._COPYRIGHT,cmsgpack._DESCRIPTION},"|")
--- return struct.pack("i",1)
return struct.pack("i",1)
--- return struct.pack(">I2hBb",1,-2,255,-1)
return struct.pack(">I2hBb",1,-2,255,-1)
--- return struct.pack("d",1.5)
return struct.pack("d",1.5)
--- return struct.pack(">f",1.5)
return struct.pack(">f",1.5)
--- return struct.pack("sc3c0","ab","cde","f")
return struct.pack("sc3c0","ab","cde","f")
--- return struct.pack("!4 b i",1,2)
return struct.pack("!4 b i",1,2)
--- return struct.pack("!bid",1,2,3)
return struct.pack("!bid",1,2,3)
--- return struct.pack("y",1)
return struct.pack("y",1)
--- return struct.pack("i99",1)
return struct.pack("i99",1)
--- return struct.pack("i99999999999",1)
return struct.pack("i99999999999",1)
--- return struct.pack("i")
return struct.pack("i")
--- return struct.pack("ii",1)
return struct.pack("ii",1)
--- return struct.pack("c5","ab")
return struct.pack("c5","ab")
--- return {struct.unpack("<I2","\1\2\3")}
return {struct.unpack("<I2","\1\2\3")}
--- return {struct.unpack(">i2b","\255\254\128")}
return {struct.unpack(">i2b","\255\254\128")}
--- return struct.unpack("i","a")
return struct.unpack("i","a")
--- return {struct.unpack("s","abc\0def")}
return {struct.unpack("s","abc\0def")}
--- return struct.unpack("s","abc")
return struct.unpack("s","abc")
--- return {struct.unpack("bc0","\3abcd")}
return {struct.unpack("bc0","\3abcd")}
--- return {struct.unpack("bc0","\9abcd")}
return {struct.unpack("bc0","\9abcd")}
--- return struct.unpack("c0","abc")
return struct.unpack("c0","abc")
--- return {struct.unpack("c2c1","abc")}
return {struct.unpack("c2c1","abc")}
--- return struct.size("!8bid")
return struct.size("!8bid")
--- return struct.size("s")
return struct.size("s")
--- return struct.size("c0")
return struct.size("c0")
--- return struct.size("c10xi5lT")
return struct.size("c10xi5lT")
--- return struct.size("!4bhi")
return struct.size("!4bhi")
--- return struct.pack("!3b",1)
return struct.pack("!3b",1)
--- return {struct.unpack("b","abc",3)}
return {struct.unpack("b","abc",3)}
--- return struct.unpack("b","abc",0)
return struct.unpack("b","abc",0)
--- return struct.unpack("b","abc",9)
return struct.unpack("b","abc",9)
--- return struct.pack("i3",-2)
return struct.pack("i3",-2)
--- return struct.pack("i10",-2)
return struct.pack("i10",-2)
--- return {struct.unpack("<i3","\254\255\255")}
return {struct.unpack("<i3","\254\255\255")}
--- return {struct.unpack("<I3","\254\255\255")}
return {struct.unpack("<I3","\254\255\255")}
--- return struct.pack("x>l",1)
return struct.pack("x>l",1)
--- return struct.pack("b",300)
return struct.pack("b",300)
--- return struct.pack("B","x")
return struct.pack("B","x")
--- return struct.pack("I4",-1)
return struct.pack("I4",-1)
--- return struct.pack("i8",2^53)
return struct.pack("i8",2^53)
--- return {tostring(struct.unpack("f",struct.pack("f",0.1)))}
return {tostring(struct.unpack("f",struct.pack("f",0.1)))}
--- return {tostring(struct.unpack(">d",struct.pack(">d",-1e300)))}
return {tostring(struct.unpack(">d",struct.pack(">d",-1e300)))}
--- return bit.tohex(255)..bit.tohex(-1,4)..bit.tohex(255,-4)..bit.tohex(1,0)..bit.tohex(5,20)
return bit.tohex(255)..bit.tohex(-1,4)..bit.tohex(255,-4)..bit.tohex(1,0)..bit.tohex(5,20)
--- return {bit.band(0xff,0xf0,0x30),bit.bor(1,2,4),bit.bxor(1,2,3),bit.bnot(0),bit.band(7)}
return {bit.band(0xff,0xf0,0x30),bit.bor(1,2,4),bit.bxor(1,2,3),bit.bnot(0),bit.band(7)}
--- return {bit.lshift(1,31),bit.rshift(-1,28),bit.arshift(-8,1),bit.lshift(1,32),bit.lshift(1,33),bit.rshift(1,-1)}
return {bit.lshift(1,31),bit.rshift(-1,28),bit.arshift(-8,1),bit.lshift(1,32),bit.lshift(1,33),bit.rshift(1,-1)}
--- return {bit.rol(0x12345678,8),bit.ror(0x12345678,8),bit.bswap(0x12345678)}
return {bit.rol(0x12345678,8),bit.ror(0x12345678,8),bit.bswap(0x12345678)}
--- return {bit.tobit(2^31),bit.tobit(2^32),bit.tobit(-2^31-1),bit.tobit(1.5),bit.tobit(2.5),bit.tobit(1e20),bit.tobit("5")}
return {bit.tobit(2^31),bit.tobit(2^32),bit.tobit(-2^31-1),bit.tobit(1.5),bit.tobit(2.5),bit.tobit(1e20),bit.tobit("5")}
--- return bit.band()
return bit.band()
--- return bit.band("x")
return bit.band("x")
--- return bit.lshift(1)
return bit.lshift(1)
--- return bit.tohex()
return bit.tohex()
