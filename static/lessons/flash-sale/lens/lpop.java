import java.util.Optional;
import org.springframework.data.redis.core.StringRedisTemplate;

class FlashSale {
    private final StringRedisTemplate redis;

    FlashSale(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /** The prize; empty when all are gone. */
    Optional<String> visit() {
        return Optional.ofNullable(redis.opsForList().leftPop("prizes")); //@1-3
    }
}
