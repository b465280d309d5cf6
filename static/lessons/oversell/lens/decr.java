import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Service;

@Service
public class Shop {
    private final StringRedisTemplate redis;

    public Shop(StringRedisTemplate redis) {
        this.redis = redis;
    }

    public boolean buy() {
        long left = redis.opsForValue().decrement("stock"); //@1
        if (left >= 0) { //@2
            return true; //@3
        }
        redis.opsForValue().increment("stock"); //@5
        return false;
    }
}
