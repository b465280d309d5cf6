import java.util.List;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

public class Campaign {
    private final StringRedisTemplate template;

    public Campaign(StringRedisTemplate template) {
        this.template = template;
    }

    public void doublePoints() {
        List<Object> done;
        do {
            // One session is one connection: WATCH counts only there.
            done = template.execute(new SessionCallback<List<Object>>() {
                @Override
                @SuppressWarnings("unchecked")
                public <K, V> List<Object> execute(RedisOperations<K, V> operations) {
                    var redis = (RedisOperations<String, String>) operations;
                    redis.watch("points"); //@4
                    long points = Long.parseLong(redis.opsForValue().get("points")); //@5
                    redis.multi(); //@6
                    redis.opsForValue().set("points", Long.toString(points * 2)); //@7
                    return redis.exec(); //@8
                }
            });
        } while (done == null || done.isEmpty()); //@9
    }
}
