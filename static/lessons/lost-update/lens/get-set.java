import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Service;

@Service
public class Account {
    private final StringRedisTemplate redis;

    public Account(StringRedisTemplate redis) {
        this.redis = redis;
    }

    public void deposit() {
        long n = Long.parseLong(redis.opsForValue().get("balance")); //@1
        n = n + 10; //@2
        redis.opsForValue().set("balance", Long.toString(n)); //@3
    }
}
