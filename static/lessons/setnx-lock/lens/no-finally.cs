using System.Threading.Tasks;
using StackExchange.Redis;

class Warehouse
{
    private readonly IDatabase redis;

    public Warehouse(IDatabase redis) => this.redis = redis;

    public async Task<bool> SellNext()
    {
        bool sold = false;
        string item = await redis.ListLeftPopAsync("orders"); //@1
        while (!await redis.StringSetAsync("lock", "1", null, When.NotExists)) //@2
        {
            await Task.Delay(10); //@3
        }
        long stock = long.Parse(await redis.StringGetAsync(item)); // throws: the lock stays //@6
        if (stock > 0) //@7
        {
            await redis.StringSetAsync(item, stock - 1); //@8
            sold = true; //@9
        }
        await redis.KeyDeleteAsync("lock"); //@11
        return sold;
    }
}
