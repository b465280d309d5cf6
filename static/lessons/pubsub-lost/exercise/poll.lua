while redis.call("GET", "job:7") ~= "done" do
  sleep(1000)
end
served = true
