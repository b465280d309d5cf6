local token = 0
local function order(replica)
  for _, name in ipairs({ replica, "redis" }) do
    local got = connect(name):call("MGET", "order:7", "version:7")
    if tonumber(got[2]) >= token then
      token = tonumber(got[2])
      return got[1]
    end
  end
end
first = order("r1")
second = order("r2")
