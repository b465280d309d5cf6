import java.util.List;
import java.util.UUID;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

class SlidingWindow {
    @SuppressWarnings("rawtypes")
    private static final RedisScript<List> ENTER = RedisScript.of("""
        local time = redis.call("TIME")
        local ms = time[1] * 1000 + math.floor(time[2] / 1000)
        redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ms - ARGV[2])
        if redis.call("ZCARD", KEYS[1]) >= tonumber(ARGV[1]) then
          return {0, ms}
        end
        redis.call("ZADD", KEYS[1], ms, ARGV[3])
        redis.call("PEXPIRE", KEYS[1], ARGV[2])
        return {1, ms}""", List.class); //@1-10
    private final StringRedisTemplate redis;

    SlidingWindow(StringRedisTemplate redis) {
        this.redis = redis;
    }

    boolean enter() throws InterruptedException {
        for (int attempt = 1; attempt <= 2; attempt++) { //@11
            String id = UUID.randomUUID().toString();
            List<?> reply = redis.execute(ENTER, List.of("hits"), "2", "1000", id); //@12
            if (reply != null && reply.get(0).equals(1L)) return true; //@13-16
            if (attempt == 1) Thread.sleep(900); //@18
        }
        return false; //@17
    }
}
