import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.types.Expiration;
import org.springframework.stereotype.Service;

@Service
public class Themes {
    private final StringRedisTemplate redis;

    public Themes(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /** False where the session has ended. */
    public boolean useDark() {
        String session = redis.opsForValue().get("session"); //@1
        if (session == null) {
            return false;
        }
        // Since Spring Data Redis 4.1.
        return Boolean.TRUE.equals(
                redis.opsForValue().setIfPresent("session", session + ",dark", Expiration.keepTtl())); //@2
    }
}
