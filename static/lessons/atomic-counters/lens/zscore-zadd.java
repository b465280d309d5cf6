import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Service;

@Service
public class Board {
    private final StringRedisTemplate redis;

    public Board(StringRedisTemplate redis) {
        this.redis = redis;
    }

    public void reward() {
        double score = redis.opsForZSet().score("board", "ada"); //@1
        redis.opsForZSet().add("board", "ada", score + 10); //@2
    }
}
