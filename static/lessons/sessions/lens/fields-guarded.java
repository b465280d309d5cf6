import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

class Cart {
    private static final RedisScript<Long> ADD = RedisScript.of("""
            if redis.call("EXISTS", KEYS[1]) == 0 then
              return 0
            end
            redis.call("HSET", KEYS[1], ARGV[1], 1)
            return 1""", Long.class); //@1-6

    private final StringRedisTemplate redis;

    Cart(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /** The item; empty where the session has ended: ask the user to log in. */
    Optional<String> addItem() {
        String item = UUID.randomUUID().toString(); //@7
        long added = redis.execute(ADD, List.of("session:7"), "item:" + item); //@8
        return added == 1 ? Optional.of(item) : Optional.empty(); //@9
    }
}
