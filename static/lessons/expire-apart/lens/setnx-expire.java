import java.time.Duration;
import org.springframework.data.redis.core.StringRedisTemplate;

class Worker {
    private final StringRedisTemplate redis;

    Worker(StringRedisTemplate redis) {
        this.redis = redis;
    }

    void workOnce() throws InterruptedException {
        while (!Boolean.TRUE.equals(redis.opsForValue().setIfAbsent("lock", "1"))) { //@1
            Thread.sleep(10); //@2
        }
        // A crash here leaves a lock that never expires.
        redis.expire("lock", Duration.ofSeconds(10)); //@5
        try {
            redis.opsForValue().increment("jobs"); //@6
        } finally {
            redis.delete("lock"); //@7
        }
    }
}
