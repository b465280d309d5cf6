import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.*;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

record Redlock(List<StringRedisTemplate> nodes) { //@6
    private static final Duration TTL = Duration.ofSeconds(10), DRIFT = Duration.ofMillis(102); //@7
    private static final RedisScript<Long> UNLOCK = RedisScript.of("""
        if redis.call("GET", KEYS[1]) == ARGV[1] then
          return redis.call("DEL", KEYS[1])
        end
        return 0""", Long.class); //@1-5

    /** Templates need short timeouts. The work is told how long it may rely on the lock. */
    boolean work(Consumer<Duration> work) throws InterruptedException {
        String token = UUID.randomUUID().toString(); //@8
        for (int attempt = 0; attempt < 2; attempt++) { //@10
            if (attempt > 0) Thread.sleep(5 + (long) (Math.random() * 16)); //@27
            long start = System.nanoTime(); //@11
            long votes = nodes.stream().filter(node -> //@11-12
                yes(() -> node.opsForValue().setIfAbsent("lock", token, TTL))).count(); //@13-14
            Duration validity = TTL.minusNanos(System.nanoTime() - start).minus(DRIFT); //@16
            boolean won = votes > nodes.size() / 2 && !validity.isNegative(); //@17
            try {
                if (won) work.accept(validity); //@18-21
            } finally {
                nodes.forEach(node -> //@23
                    yes(() -> node.execute(UNLOCK, List.of("lock"), token) == 1)); //@24
            }
            if (won) return true; //@26
        }
        return false;
    }

    private static boolean yes(BooleanSupplier ask) {
        try {
            return ask.getAsBoolean();
        } catch (DataAccessException noAnswer) {
            return false;
        }
    }
}
