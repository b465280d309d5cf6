using System.Threading.Tasks;
using StackExchange.Redis;

class Shop
{
    private const string BuyOne = @"
        local n = tonumber(redis.call('GET', KEYS[1]))
        if n > 0 then
          redis.call('DECR', KEYS[1])
          return 1
        end
        return 0"; //@1-7

    private readonly IDatabase redis;

    public Shop(IDatabase redis) => this.redis = redis;

    public async Task<bool> Buy()
    {
        var sold = await redis.ScriptEvaluateAsync(BuyOne, new RedisKey[] { "stock" }); //@8
        return (int)sold == 1;
    }
}
