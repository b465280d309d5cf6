using System;
using System.Diagnostics;
using System.Threading.Tasks;
using StackExchange.Redis;

class JobRunner
{
    // With Redis 8.4, StringDeleteAsync("lock", ValueCondition.Equal(me)) needs no script.
    private const string Release = @"
        if redis.call('GET', KEYS[1]) == ARGV[1] then
          return redis.call('GETDEL', KEYS[1])
        end
        return false"; //@1-5

    private readonly IDatabase redis;

    public JobRunner(IDatabase redis) => this.redis = redis;

    /// <summary>False if the lease was over before the job was.</summary>
    public async Task<bool> Run()
    {
        string me = Guid.NewGuid().ToString(); //@6
        var lease = TimeSpan.FromSeconds(10);
        var waited = Stopwatch.StartNew();
        while (!await redis.StringSetAsync("lock", me, lease, When.NotExists)) //@7
        {
            if (waited.ElapsedMilliseconds >= 5000)
            {
                throw new TimeoutException("the lock is taken, please try again");
            }
            await Task.Delay(10); //@8
        }
        RedisResult removed;
        try
        {
            await redis.StringIncrementAsync("jobs"); //@11
        }
        finally
        {
            removed = await redis.ScriptEvaluateAsync(
                Release, new RedisKey[] { "lock" }, new RedisValue[] { me }); //@13
        }
        return !removed.IsNull;
    }
}
