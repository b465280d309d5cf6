redis.call("SET", "order:7", 2)
source = "r1"
shown = connect(source):call("GET", "order:7")
