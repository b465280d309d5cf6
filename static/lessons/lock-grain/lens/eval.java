import java.util.List;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

class Market {
    private static final RedisScript<String> BUY = RedisScript.of("""
        local item = redis.call("HGET", KEYS[2], "wants")
        local price = redis.call("ZSCORE", KEYS[1], item)
        if not price then
          return false
        end
        redis.call("HINCRBY", KEYS[3], "funds", price)
        redis.call("HINCRBY", KEYS[2], "funds", -price)
        redis.call("SADD", KEYS[4], item)
        redis.call("ZREM", KEYS[1], item)
        return price""", String.class); //@2-12

    private final StringRedisTemplate redis;

    Market(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /** What the buyer has paid; null where the wanted item is not for sale. */
    Long buy(String buyer) {
        var keys = List.of("market", buyer, "user:carol", buyer + ":items"); //@1
        String price = redis.execute(BUY, keys); //@13
        return price == null ? null : Long.valueOf(price); //@14
    }
}
