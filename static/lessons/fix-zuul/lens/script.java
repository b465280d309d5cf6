import java.time.Duration;
import java.util.List;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

class Rate {
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final RedisScript<Long> COUNT = RedisScript.of("""
            local n = redis.call("INCRBY", KEYS[1], ARGV[1])
            if redis.call("PTTL", KEYS[1]) == -1 then
              redis.call("PEXPIRE", KEYS[1], ARGV[2])
            end
            return n""", Long.class); //@1-6
    private final StringRedisTemplate redis;

    Rate(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /** How many requests there were in this window, with this one. */
    long hit() {
        return redis.execute(COUNT, List.of("rate"), "1", Long.toString(WINDOW.toMillis())); //@7
    }
}
