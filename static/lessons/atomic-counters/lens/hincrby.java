import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Service;

@Service
public class Cart {
    private final StringRedisTemplate redis;

    public Cart(StringRedisTemplate redis) {
        this.redis = redis;
    }

    public Long addApples() {
        return redis.opsForHash().increment("cart:7", "apples", 2); //@1
    }
}
