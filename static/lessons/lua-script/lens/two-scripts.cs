using System.Threading.Tasks;
using StackExchange.Redis;

class Budget
{
    private const string Enough = @"
        local budget = tonumber(redis.call('GET', KEYS[1]))
        return budget >= tonumber(ARGV[1])"; //@1-3
    private const string Pay = @"
        redis.call('DECRBY', KEYS[1], ARGV[1])
        redis.call('RPUSH', KEYS[2], ARGV[1])"; //@4-6

    private readonly IDatabase redis;

    public Budget(IDatabase redis) => this.redis = redis;

    public async Task<long> Spend()
    {
        RedisKey budget = "budget", ledger = "ledger";
        RedisValue[] amount = { 6 };
        // True comes back as 1, false as null.
        var enough = await redis.ScriptEvaluateAsync(Enough, new[] { budget }, amount); //@7
        if (!enough.IsNull)
        {
            await redis.ScriptEvaluateAsync(Pay, new[] { budget, ledger }, amount); //@8
            return 6; //@9
        }
        return 0;
    }
}
