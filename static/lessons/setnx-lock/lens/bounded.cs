using System.Diagnostics;
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
        // A Stopwatch never jumps; DateTime.UtcNow may.
        var waited = Stopwatch.StartNew(); //@2
        while (!await redis.StringSetAsync("lock", "1", null, When.NotExists)) //@3
        {
            if (waited.ElapsedMilliseconds >= 2000) //@4
            {
                await redis.ListRightPushAsync("orders", item); //@5
                return Answer.Busy; //@6-7
            }
            await Task.Delay(10); //@9
        }
        try //@12
        {
            // Throws where there is no such item.
            long stock = long.Parse(await redis.StringGetAsync(item)); //@13
            if (stock > 0) //@14
            {
                await redis.StringSetAsync(item, stock - 1); //@15
                return Answer.Sold; //@16
            }
            return Answer.SoldOut;
        }
        finally
        {
            await redis.KeyDeleteAsync("lock"); //@19
        }
    }
}
