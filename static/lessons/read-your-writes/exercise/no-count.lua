redis.call("SET", "order:7", 2)
redis.call("WAIT", 2, 100)
source = "r1"
shown = connect(source):call("GET", "order:7")
