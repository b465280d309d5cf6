import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

class JobRunner {
    private static final RedisScript<String> RELEASE = RedisScript.of("""
            if redis.call("GET", KEYS[1]) == ARGV[1] then
              return redis.call("GETDEL", KEYS[1])
            end
            return false""", String.class); //@1-5

    private final StringRedisTemplate redis;

    JobRunner(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /** False if the lease was over before the job was. */
    boolean run() throws InterruptedException {
        String me = UUID.randomUUID().toString(); //@6
        Duration lease = Duration.ofSeconds(10);
        long start = System.nanoTime();
        while (!Boolean.TRUE.equals(redis.opsForValue().setIfAbsent("lock", me, lease))) { //@7
            if (System.nanoTime() - start >= 5_000_000_000L) {
                throw new IllegalStateException("the lock is taken, please try again");
            }
            Thread.sleep(10); //@8
        }
        String removed;
        try {
            redis.opsForValue().increment("jobs"); //@11
        } finally {
            removed = redis.execute(RELEASE, List.of("lock"), me); //@13
        }
        return removed != null;
    }
}
