using System.Threading.Tasks;
using StackExchange.Redis;

class Account
{
    private readonly IDatabase redis;

    public Account(IDatabase redis) => this.redis = redis;

    public async Task Deposit()
    {
        long n = (long)await redis.StringGetAsync("balance"); //@1
        n = n + 10; //@2
        await redis.StringSetAsync("balance", n); //@3
    }
}
