redis.call("SET", "order:7", 2)
source = "redis"
shown = connect(source):call("GET", "order:7")
