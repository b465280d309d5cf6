import org.springframework.data.redis.core.StringRedisTemplate;

class Coupons {
    private final StringRedisTemplate redis;

    Coupons(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /** False where another request of this user came first. */
    boolean give() {
        boolean first = redis.opsForHash().putIfAbsent("requests", "ann", "1"); //@1
        if (first) { //@2
            redis.opsForList().rightPush("coupons", "ann"); //@3
        }
        return first;
    }
}
