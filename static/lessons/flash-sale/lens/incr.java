import java.util.Optional;
import org.springframework.data.redis.core.StringRedisTemplate;

class FlashSale {
    private static final int PRIZES = 2;

    private final StringRedisTemplate redis;

    FlashSale(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /** The place of a winner; empty for everybody else. */
    Optional<Long> visit() {
        long place = redis.opsForValue().increment("visitors"); //@1
        return place <= PRIZES ? Optional.of(place) : Optional.empty(); //@2-3
    }
}
