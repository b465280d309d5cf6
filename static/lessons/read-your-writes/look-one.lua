first = connect("r1"):call("GET", "order:7")
second = connect("r1"):call("GET", "order:7")
