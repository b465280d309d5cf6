import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Service;

@Service
public class Budget {
    private final StringRedisTemplate redis;

    public Budget(StringRedisTemplate redis) {
        this.redis = redis;
    }

    public int spend() {
        int budget = Integer.parseInt(redis.opsForValue().get("budget")); //@1
        if (budget >= 6) { //@2
            redis.opsForValue().set("budget", Integer.toString(budget - 6)); //@3
            redis.opsForList().rightPush("ledger", "6"); //@4
            return 6; //@5
        }
        return 0;
    }
}
