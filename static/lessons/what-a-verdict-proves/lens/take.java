import org.springframework.data.redis.core.StringRedisTemplate;

class Shop {
    private final StringRedisTemplate redis;

    Shop(StringRedisTemplate redis) {
        this.redis = redis;
    }

    boolean buy() {
        return redis.opsForValue().decrement("stock") >= 0; //@1
    }
}
