using System.Threading.Tasks;
using StackExchange.Redis;

enum Answer { Busy, Sold, SoldOut }

class Warehouse
{
    private readonly IDatabase redis;

    public Warehouse(IDatabase redis) => this.redis = redis;

    public async Task<Answer> SellNext()
    {
        string item = await redis.ListLeftPopAsync("orders"); //@1
        if (!await redis.StringSetAsync("lock", "1", null, When.NotExists)) //@2
        {
            return Answer.Busy; //@3-4
        }
        try //@7
        {
            // Throws where there is no such item.
            long stock = long.Parse(await redis.StringGetAsync(item)); //@8
            if (stock > 0) //@9
            {
                await redis.StringSetAsync(item, stock - 1); //@10
                return Answer.Sold; //@11
            }
            return Answer.SoldOut;
        }
        finally
        {
            await redis.KeyDeleteAsync("lock"); //@14
        }
    }
}
