import java.util.List;
import java.util.UUID;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

class FairSlots {
    private static final int LIMIT = 2;
    private static final RedisScript<Long> ENTER = RedisScript.of("""
        local owners, times, tickets = KEYS[1], KEYS[2], KEYS[3]
        redis.call("ZREMRANGEBYSCORE", times, "-inf", ARGV[1] - 10000)
        redis.call("ZINTERSTORE", owners, 2, owners, times, "WEIGHTS", 1, 0)
        local ticket = redis.call("INCR", tickets)
        redis.call("ZADD", times, ARGV[1], ARGV[2])
        redis.call("ZADD", owners, ticket, ARGV[2])
        return redis.call("ZRANK", owners, ARGV[2])""", Long.class); //@1-8

    private final StringRedisTemplate redis;

    FairSlots(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /** False where no slot was free. Throws where the slot was lost during the work. */
    boolean tryWork(Runnable work) {
        String id = UUID.randomUUID().toString(); //@9
        String now = String.valueOf(System.currentTimeMillis());
        Long rank = redis.execute(ENTER, List.of("owners", "times", "tickets"), now, id); //@10
        boolean entered = rank != null && rank < LIMIT; //@10
        Long freed;
        try {
            if (entered) work.run(); //@11-13
        } finally {
            redis.opsForZSet().remove("owners", id); //@15
            freed = redis.opsForZSet().remove("times", id); //@16
        }
        if (entered && freed == 0) throw new IllegalStateException("the slot was lost during the work");
        return entered;
    }
}
