import java.util.List;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

class Seats {
    private static final RedisScript<Long> CANCEL = RedisScript.of("""
            if redis.call("ZREM", KEYS[1], ARGV[1]) == 0
              or redis.call("GET", KEYS[2]) ~= "open" then return 0 end
            redis.call("SET", KEYS[2], "cancelled")
            return redis.call("INCR", KEYS[3])""", Long.class); //@1-5
    private final StringRedisTemplate redis;

    Seats(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /** Whether an order was due, and its seat is free now. */
    boolean cancelDue() {
        long now = System.currentTimeMillis();
        for (String order : redis.opsForZSet().rangeByScore("due", 0, now, 0, 1)) { //@7-8
            return redis.execute(CANCEL, List.of("due", "order:" + order, "free"), order) > 0; //@9
        }
        return false;
    }
}
