using System.Threading.Tasks;
using StackExchange.Redis;

class Warehouse
{
    private readonly IDatabase redis;

    public Warehouse(IDatabase redis) => this.redis = redis;

    public async Task<bool> SellNext()
    {
        string item = await redis.ListLeftPopAsync("orders"); //@1
        while (!await redis.StringSetAsync("lock", "1", null, When.NotExists)) //@2
        {
            await Task.Delay(10); //@3
        }
        try //@6
        {
            // Throws where there is no such item.
            long stock = long.Parse(await redis.StringGetAsync(item)); //@7
            if (stock > 0) //@8
            {
                await redis.StringSetAsync(item, stock - 1); //@9
                return true; //@10
            }
            return false;
        }
        finally
        {
            await redis.KeyDeleteAsync("lock"); //@13-14
        }
    }
}
