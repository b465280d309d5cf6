import java.time.Duration;
import org.springframework.data.redis.core.StringRedisTemplate;

class Worker {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private final StringRedisTemplate redis;

    Worker(StringRedisTemplate redis) {
        this.redis = redis;
    }

    void workOnce() throws InterruptedException {
        // With a Duration this is one command: SET lock 1 NX with an expiry.
        while (!Boolean.TRUE.equals(redis.opsForValue().setIfAbsent("lock", "1", LEASE))) { //@1
            Thread.sleep(10); //@2
        }
        try {
            redis.opsForValue().increment("jobs"); //@5
        } finally {
            redis.delete("lock"); //@6
        }
    }
}
