import java.util.List;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.stereotype.Service;

@Service
public class Budget {
    private static final RedisScript<Long> SPEND = RedisScript.of("""
            local budget = tonumber(redis.call("GET", KEYS[1]))
            local amount = tonumber(ARGV[1])
            if budget < amount then
              return 0
            end
            redis.call("SET", KEYS[1], budget - amount)
            redis.call("RPUSH", KEYS[2], amount)
            return amount""", Long.class); //@1-9

    private final StringRedisTemplate redis;

    public Budget(StringRedisTemplate redis) {
        this.redis = redis;
    }

    public Long spend() {
        // StringRedisTemplate takes arguments as strings only.
        return redis.execute(SPEND, List.of("budget", "ledger"), "6"); //@10
    }
}
