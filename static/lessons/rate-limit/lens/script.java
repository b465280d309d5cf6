import java.util.List;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

class RateLimit {
    private static final int LIMIT = 1; //@1
    private static final RedisScript<Long> COUNT = RedisScript.of("""
        local hits = redis.call("INCR", KEYS[1])
        if hits == 1 then
          redis.call("EXPIRE", KEYS[1], ARGV[1])
        end
        return hits""", Long.class); //@2-7
    private final StringRedisTemplate redis;

    RateLimit(StringRedisTemplate redis) {
        this.redis = redis;
    }

    boolean allows() {
        Long hits = redis.execute(COUNT, List.of("hits:10.0.0.7"), "1"); //@8
        return hits != null && hits <= LIMIT; //@9-11
    }
}
