import java.time.Duration;
import java.util.UUID;
import org.springframework.data.redis.core.StringRedisTemplate;

class JobRunner {
    private final StringRedisTemplate redis;

    JobRunner(StringRedisTemplate redis) {
        this.redis = redis;
    }

    void run() throws InterruptedException {
        String me = UUID.randomUUID().toString(); //@1
        Duration lease = Duration.ofSeconds(10);
        while (!Boolean.TRUE.equals(redis.opsForValue().setIfAbsent("lock", me, lease))) { //@2
            Thread.sleep(10); //@3
        }
        try {
            redis.opsForValue().increment("jobs"); //@6
        } finally {
            redis.opsForValue().getAndDelete("lock"); //@8
        }
    }
}
