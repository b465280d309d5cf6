import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Service;

@Service
public class Room {
    private final StringRedisTemplate redis;

    public Room(StringRedisTemplate redis) {
        this.redis = redis;
    }

    public Long enter() {
        return redis.opsForValue().increment("room"); //@1
    }
}
