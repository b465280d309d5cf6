using System.Threading.Tasks;
using StackExchange.Redis;

class Budget
{
    private const string Pay = @"
        local budget = tonumber(redis.call('GET', KEYS[1]))
        local amount = tonumber(ARGV[1])
        if budget < amount then
          return 0
        end
        redis.call('SET', KEYS[1], budget - amount)
        redis.call('RPUSH', KEYS[2], amount)
        return amount"; //@1-9

    private readonly IDatabase redis;

    public Budget(IDatabase redis) => this.redis = redis;

    public async Task<long> Spend()
    {
        RedisKey[] keys = { "budget", "ledger" };
        return (long)await redis.ScriptEvaluateAsync(Pay, keys, new RedisValue[] { 6 }); //@10
    }
}
