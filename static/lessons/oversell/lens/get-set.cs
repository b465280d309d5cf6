using System.Threading.Tasks;
using StackExchange.Redis;

class Shop
{
    private readonly IDatabase redis;

    public Shop(IDatabase redis) => this.redis = redis;

    public async Task<bool> Buy()
    {
        long stock = (long)await redis.StringGetAsync("stock"); //@1
        if (stock > 0) //@2
        {
            await redis.StringSetAsync("stock", stock - 1); //@3
            return true; //@4
        }
        return false;
    }
}
