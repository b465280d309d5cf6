import java.time.Duration;
import java.util.*;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

record Checkout(StringRedisTemplate redis) {
    private static final RedisScript<Long> RELEASE = RedisScript.of("""
        local n = 0
        for _, key in ipairs(KEYS) do
          if redis.call("GET", key) == ARGV[1] then n = n + redis.call("DEL", key) end
        end
        return n""", Long.class); //@1-3

    /** False where an item is sold out, or no cart is left. Throws also where a lock was lost. */
    boolean checkOut() throws InterruptedException {
        String me = UUID.randomUUID().toString(); //@4
        String cart = redis.opsForList().leftPop("carts"); //@8
        if (cart == null) return false;
        // One order for all clients, and no lock twice.
        List<String> items = Arrays.stream(cart.split(",")).distinct().sorted().toList(); //@9
        List<String> locks = items.stream().map(item -> "lock:" + item).toList();
        var values = redis.opsForValue();
        Map<String, String> after = new HashMap<>();
        long released, start = System.nanoTime();
        try {
            for (String lock : locks) { //@10-11
                while (!Boolean.TRUE.equals(values.setIfAbsent(lock, me, Duration.ofSeconds(10)))) { //@5-7
                    if (System.nanoTime() - start >= 5_000_000_000L) { // shorter than a lease
                        redis.opsForList().rightPush("carts", cart);
                        throw new IllegalStateException("a lock is taken, please try again");
                    }
                    Thread.sleep(30); //@6
                }
            }
            List<String> left = values.multiGet(items); //@12
            for (int i = 0; i < items.size(); i++)
                after.put(items.get(i), Integer.toString(Integer.parseInt(left.get(i)) - 1));
            if (!after.containsValue("-1")) values.multiSet(after); //@13-14
        } finally {
            released = redis.execute(RELEASE, locks, me); //@17
        }
        if (released < locks.size()) throw new IllegalStateException("a lock was lost during the work");
        return !after.containsValue("-1"); //@15
    }
}
