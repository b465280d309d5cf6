import java.util.List;
import java.util.UUID;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

class Slots {
    private static final RedisScript<Long> ENTER = RedisScript.of("""
        redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ARGV[1] - 10000)
        if redis.call("ZCARD", KEYS[1]) < 2 then
          return redis.call("ZADD", KEYS[1], ARGV[1], ARGV[2])
        end
        return 0""", Long.class); //@1-6
    // ZSetOperations has no XX. With CH the reply is 0 where the entry has been removed.
    private static final RedisScript<Long> REFRESH = RedisScript.of("""
        return redis.call("ZADD", KEYS[1], "XX", "CH", ARGV[1], ARGV[2])""", Long.class); //@11

    private final StringRedisTemplate redis;

    Slots(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /** False where no slot was free, or the slot was lost during the work. */
    boolean tryWork(Runnable step) {
        String id = UUID.randomUUID().toString(); //@7
        if (redis.execute(ENTER, List.of("times"), now(), id) == 0) return false; //@8
        Long freed;
        try {
            step.run(); //@9-10
            if (redis.execute(REFRESH, List.of("times"), now(), id) == 0) return false; //@11-12
            step.run(); //@13-14
        } finally {
            freed = redis.opsForZSet().remove("times", id); //@16-17
        }
        return freed == 1;
    }

    private static String now() {
        return String.valueOf(System.currentTimeMillis());
    }
}
