using System;
using System.Threading.Tasks;
using StackExchange.Redis;

class JobRunner
{
    private readonly IDatabase redis;

    public JobRunner(IDatabase redis) => this.redis = redis;

    public async Task Run()
    {
        string me = Guid.NewGuid().ToString(); //@1
        var lease = TimeSpan.FromSeconds(10);
        while (!await redis.StringSetAsync("lock", me, lease, When.NotExists)) //@2
        {
            await Task.Delay(10); //@3
        }
        try
        {
            await redis.StringIncrementAsync("jobs"); //@6
        }
        finally
        {
            // Version 3 has StringGetDeleteAsync("lock") for this.
            await redis.ExecuteAsync("GETDEL", "lock"); //@8
        }
    }
}
