import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Service;

@Service
public class Shop {
    private final StringRedisTemplate redis;

    public Shop(StringRedisTemplate redis) {
        this.redis = redis;
    }

    public boolean buy() {
        int stock = Integer.parseInt(redis.opsForValue().get("stock")); //@1
        if (stock > 0) { //@2
            redis.opsForValue().set("stock", Integer.toString(stock - 1)); //@3
            return true; //@4
        }
        return false;
    }
}
