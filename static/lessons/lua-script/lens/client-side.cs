using System.Threading.Tasks;
using StackExchange.Redis;

class Budget
{
    private readonly IDatabase redis;

    public Budget(IDatabase redis) => this.redis = redis;

    public async Task<long> Spend()
    {
        long budget = (long)await redis.StringGetAsync("budget"); //@1
        if (budget >= 6) //@2
        {
            await redis.StringSetAsync("budget", budget - 6); //@3
            await redis.ListRightPushAsync("ledger", 6); //@4
            return 6; //@5
        }
        return 0;
    }
}
