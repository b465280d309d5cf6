import org.springframework.data.redis.core.StringRedisTemplate;

class Worker {
    private final StringRedisTemplate redis;

    Worker(StringRedisTemplate redis) {
        this.redis = redis;
    }

    boolean sellNext() throws InterruptedException {
        boolean sold = false;
        String item = redis.opsForList().leftPop("orders"); //@1
        while (!Boolean.TRUE.equals(redis.opsForValue().setIfAbsent("lock", "1"))) { //@2
            Thread.sleep(10); //@3
        }
        int stock = Integer.parseInt(redis.opsForValue().get(item)); //@6
        if (stock > 0) { //@7
            redis.opsForValue().set(item, String.valueOf(stock - 1)); //@8
            sold = true; //@9
        }
        redis.delete("lock"); //@11
        return sold;
    }
}
