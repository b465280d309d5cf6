-- A second is plenty for a visitor. What is pending then goes back to the front.
sleep(1000)
while redis.call("LMOVE", "pending", "prizes", "RIGHT", "LEFT") do end
