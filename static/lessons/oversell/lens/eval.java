import java.util.List;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.stereotype.Service;

@Service
public class Shop {
    private static final RedisScript<Long> BUY = RedisScript.of("""
            local n = tonumber(redis.call("GET", KEYS[1]))
            if n > 0 then
              redis.call("DECR", KEYS[1])
              return 1
            end
            return 0""", Long.class); //@1-7

    private final StringRedisTemplate redis;

    public Shop(StringRedisTemplate redis) {
        this.redis = redis;
    }

    public boolean buy() {
        Long sold = redis.execute(BUY, List.of("stock")); //@8
        return sold == 1;
    }
}
