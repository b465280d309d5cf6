import java.util.List;
import java.util.UUID;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

class ScriptedSlots {
    private static final RedisScript<Long> ENTER = RedisScript.of("""
        local time = redis.call("TIME")
        local ms = time[1] * 1000 + math.floor(time[2] / 1000)
        redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ms - 10000)
        if redis.call("ZCARD", KEYS[1]) < 2 then
          return redis.call("ZADD", KEYS[1], ms, ARGV[1])
        end
        return 0""", Long.class); //@1-8

    private final StringRedisTemplate redis;

    ScriptedSlots(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /** False where no slot was free. Throws where the slot was lost during the work. */
    boolean tryWork(Runnable work) {
        String id = UUID.randomUUID().toString(); //@9
        Long entered = redis.execute(ENTER, List.of("slots"), id); //@10
        if (entered == null || entered == 0) return false; //@10
        Long freed;
        try {
            work.run(); //@11-13
        } finally {
            freed = redis.opsForZSet().remove("slots", id); //@14
        }
        if (freed == 0) throw new IllegalStateException("the slot was lost during the work");
        return true;
    }
}
