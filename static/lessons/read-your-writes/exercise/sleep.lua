redis.call("SET", "order:7", 2)
sleep(50)
source = "r1"
shown = connect(source):call("GET", "order:7")
