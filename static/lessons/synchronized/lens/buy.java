import org.springframework.data.redis.core.StringRedisTemplate;

class Shop {
    private final StringRedisTemplate redis;

    Shop(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /** The lock is this object, in the memory of this process: another server has its own. */
    boolean buy() {
        synchronized (this) { //@1
            int stock = Integer.parseInt(redis.opsForValue().get("stock")); //@2
            if (stock <= 0) { //@3
                return false;
            }
            redis.opsForValue().set("stock", String.valueOf(stock - 1)); //@4
            return true; //@5
        }
    }
}
