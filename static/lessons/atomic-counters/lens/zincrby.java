import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Service;

@Service
public class Board {
    private final StringRedisTemplate redis;

    public Board(StringRedisTemplate redis) {
        this.redis = redis;
    }

    public Double reward() {
        return redis.opsForZSet().incrementScore("board", "ada", 10); //@1
    }
}
