import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Service;

@Service
public class Room {
    private final StringRedisTemplate redis;

    public Room(StringRedisTemplate redis) {
        this.redis = redis;
    }

    public void leave() {
        long n = Long.parseLong(redis.opsForValue().get("room")); //@1
        redis.opsForValue().set("room", Long.toString(n - 1)); //@2
    }
}
