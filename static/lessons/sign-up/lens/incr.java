import org.springframework.data.redis.core.StringRedisTemplate;

class SignUp {
    private static final int PLACES = 2;

    private final StringRedisTemplate redis;

    SignUp(StringRedisTemplate redis) {
        this.redis = redis;
    }

    boolean register() {
        long num = redis.opsForValue().increment("num"); //@1
        if (num <= PLACES) { //@2
            return true; //@3
        }
        redis.opsForValue().decrement("num"); //@5
        return false;
    }
}
