import org.springframework.data.redis.core.StringRedisTemplate;

class Worker {
    private final StringRedisTemplate redis;

    Worker(StringRedisTemplate redis) {
        this.redis = redis;
    }

    String sellNext() {
        String item = redis.opsForList().leftPop("orders"); //@1
        if (!Boolean.TRUE.equals(redis.opsForValue().setIfAbsent("lock", "1"))) { //@2
            return "busy"; //@3-4
        }
        try { //@7
            int stock = Integer.parseInt(redis.opsForValue().get(item)); //@8
            if (stock > 0) { //@9
                redis.opsForValue().set(item, String.valueOf(stock - 1)); //@10
                return "sold"; //@11
            }
            return "sold out";
        } finally {
            redis.delete("lock"); //@14
        }
    }
}
