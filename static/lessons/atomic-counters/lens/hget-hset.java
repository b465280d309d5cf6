import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Service;

@Service
public class Cart {
    private final StringRedisTemplate redis;

    public Cart(StringRedisTemplate redis) {
        this.redis = redis;
    }

    public void addApples() {
        Object n = redis.opsForHash().get("cart:7", "apples"); //@1
        long sum = Long.parseLong((String) n) + 2;
        redis.opsForHash().put("cart:7", "apples", Long.toString(sum)); //@2
    }
}
