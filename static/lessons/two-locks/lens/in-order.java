import java.time.Duration;
import java.util.*;
import java.util.stream.Stream;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

class Checkout {
    private static final RedisScript<Long> RELEASE = RedisScript.of("""
            for _, key in ipairs(KEYS) do
              if redis.call("GET", key) == ARGV[1] then redis.call("DEL", key) end
            end
            return 1""", Long.class); //@1-3
    private static final Duration LEASE = Duration.ofSeconds(10);
    private final StringRedisTemplate redis;

    Checkout(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /** False where an item is sold out, or no cart is left. */
    boolean checkOut() throws InterruptedException {
        String me = UUID.randomUUID().toString(); //@4
        String cart = redis.opsForList().leftPop("carts"); //@8
        if (cart == null) return false;
        // One order for all clients, and no lock twice.
        List<String> items = Stream.of(cart.split(",")).distinct().sorted().toList(); //@9
        List<String> locks = items.stream().map(item -> "lock:" + item).toList();
        var values = redis.opsForValue();
        try {
            for (String lock : locks) { //@10-11
                while (!Boolean.TRUE.equals(values.setIfAbsent(lock, me, LEASE))) Thread.sleep(30); //@5-7
            }
            List<String> left = values.multiGet(items); //@12
            Map<String, String> after = new HashMap<>();
            for (int i = 0; i < items.size(); i++) {
                after.put(items.get(i), Integer.toString(Integer.parseInt(left.get(i)) - 1));
            }
            if (after.containsValue("-1")) return false; //@13
            values.multiSet(after); //@14
            return true; //@15
        } finally {
            redis.execute(RELEASE, locks, me); //@17
        }
    }
}
