import java.util.List;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.stereotype.Service;

@Service
public class Budget {
    private static final RedisScript<Boolean> ENOUGH = RedisScript.of("""
            local budget = tonumber(redis.call("GET", KEYS[1]))
            return budget >= tonumber(ARGV[1])""", Boolean.class); //@1-3
    private static final RedisScript<Long> SPEND = RedisScript.of("""
            redis.call("DECRBY", KEYS[1], ARGV[1])
            redis.call("RPUSH", KEYS[2], ARGV[1])""", Long.class); //@4-6

    private final StringRedisTemplate redis;

    public Budget(StringRedisTemplate redis) {
        this.redis = redis;
    }

    public int spend() {
        // False comes back as nil, and that as false or null, by the driver.
        Boolean enough = redis.execute(ENOUGH, List.of("budget"), "6"); //@7
        if (Boolean.TRUE.equals(enough)) { //@7
            redis.execute(SPEND, List.of("budget", "ledger"), "6"); //@8
            return 6; //@9
        }
        return 0;
    }
}
