import java.util.List;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

class Poller {
    private static final long ACK_TIMEOUT_MS = 60_000;
    private static final RedisScript<String> TAKE = RedisScript.of("""
            local id = redis.call("ZRANGE", KEYS[1], 0, 0)[1]
            if not id then return false end
            redis.call("ZREM", KEYS[1], id)
            redis.call("ZADD", KEYS[2], ARGV[1], id)
            return id""", String.class); //@1-6
    private static final RedisScript<Long> ACK = RedisScript.of("""
            redis.call("ZREM", KEYS[2], ARGV[1])
            if not redis.call("ZRANK", KEYS[1], ARGV[1]) then
              redis.call("HDEL", KEYS[3], ARGV[1])
            end
            return 1""", Long.class); //@7-11
    private final StringRedisTemplate redis;

    Poller(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /** One message, if there is one. If the work fails, the message stays in "unacked". */
    boolean poll(Runnable work) {
        String due = Long.toString(System.currentTimeMillis() + ACK_TIMEOUT_MS);
        String id = redis.execute(TAKE, List.of("queue", "unacked"), due); //@13
        if (id == null) return false; //@14
        work.run(); //@15
        redis.execute(ACK, List.of("queue", "unacked", "messages"), id); //@16
        return true;
    }
}
