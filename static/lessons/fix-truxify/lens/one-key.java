import java.time.Duration;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.types.Expiration;
import org.springframework.stereotype.Service;

@Service
public class Bookings {
    private static final String KEY = "tap:7";
    private final StringRedisTemplate redis;

    public Bookings(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /** The kept answer: 201 once there is an order, 409 while another request is at work. */
    public int book(Runnable order) {
        var values = redis.opsForValue();
        if (!Boolean.TRUE.equals(values.setIfAbsent(KEY, "working", Duration.ofHours(1)))) { //@1
            String answer = values.get(KEY); //@5
            return "201".equals(answer) ? 201 : 409; //@6
        }
        order.run(); //@2
        values.setIfPresent(KEY, "201", Expiration.keepTtl()); // since Spring Data Redis 4.1 //@3
        return 201;
    }
}
