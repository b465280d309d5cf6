local own = connect("redis")
own:call("MULTI")
own:call("INCR", "paid")
got = own:call("EXEC")
