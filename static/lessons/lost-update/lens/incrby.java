import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Service;

@Service
public class Account {
    private final StringRedisTemplate redis;

    public Account(StringRedisTemplate redis) {
        this.redis = redis;
    }

    public Long deposit() {
        return redis.opsForValue().increment("balance", 10); //@1
    }
}
