import org.springframework.data.redis.core.StringRedisTemplate;

class Prices {
    private final StringRedisTemplate redis;

    Prices(StringRedisTemplate redis) {
        this.redis = redis;
    }

    void change(Runnable update) {
        update.run(); // returns after the commit //@1
        redis.delete("price:7"); //@2
    }
}
