using System.Threading.Tasks;
using StackExchange.Redis;

class Account
{
    private readonly IDatabase redis;

    public Account(IDatabase redis) => this.redis = redis;

    public Task<long> Deposit() => redis.StringIncrementAsync("balance", 10); //@1
}
