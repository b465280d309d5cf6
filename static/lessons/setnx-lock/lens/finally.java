import org.springframework.data.redis.core.StringRedisTemplate;

class Worker {
    private final StringRedisTemplate redis;

    Worker(StringRedisTemplate redis) {
        this.redis = redis;
    }

    boolean sellNext() throws InterruptedException {
        String item = redis.opsForList().leftPop("orders"); //@1
        while (!Boolean.TRUE.equals(redis.opsForValue().setIfAbsent("lock", "1"))) { //@2
            Thread.sleep(10); //@3
        }
        try { //@6
            int stock = Integer.parseInt(redis.opsForValue().get(item)); //@7
            if (stock > 0) { //@8
                redis.opsForValue().set(item, String.valueOf(stock - 1)); //@9
                return true; //@10
            }
            return false;
        } finally {
            redis.delete("lock"); //@13-14
        }
    }
}
