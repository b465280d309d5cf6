using System.Threading.Tasks;
using StackExchange.Redis;

class Shop
{
    private readonly IDatabase redis;

    public Shop(IDatabase redis) => this.redis = redis;

    public async Task<bool> Buy()
    {
        long left = await redis.StringDecrementAsync("stock"); //@1
        if (left >= 0) //@2
        {
            return true; //@3
        }
        await redis.StringIncrementAsync("stock"); //@5
        return false;
    }
}
