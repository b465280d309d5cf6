import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

public class Campaign {
    private final StringRedisTemplate template;

    public Campaign(StringRedisTemplate template) {
        this.template = template;
    }

    /** False where every attempt was refused. */
    public boolean doublePoints() throws InterruptedException {
        for (int attempt = 0; attempt < 10; attempt++) {
            // One session is one connection: WATCH counts only there.
            List<Object> done = template.execute(new SessionCallback<List<Object>>() {
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
            // An empty list means refused; null is what older versions returned with Jedis.
            if (done != null && !done.isEmpty()) { //@9
                return true;
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(20));
        }
        return false;
    }
}
