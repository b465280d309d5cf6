import org.springframework.data.redis.core.StringRedisTemplate;

class Worker {
    private final StringRedisTemplate redis;

    Worker(StringRedisTemplate redis) {
        this.redis = redis;
    }

    String sellNext() throws InterruptedException {
        String item = redis.opsForList().leftPop("orders"); //@1
        // nanoTime never jumps; currentTimeMillis may.
        long start = System.nanoTime(); //@2
        while (!Boolean.TRUE.equals(redis.opsForValue().setIfAbsent("lock", "1"))) { //@3
            if (System.nanoTime() - start >= 2_000_000_000) { //@4
                redis.opsForList().rightPush("orders", item); //@5
                return "busy"; //@6-7
            }
            Thread.sleep(10); //@9
        }
        try { //@12
            int stock = Integer.parseInt(redis.opsForValue().get(item)); //@13
            if (stock > 0) { //@14
                redis.opsForValue().set(item, String.valueOf(stock - 1)); //@15
                return "sold"; //@16
            }
            return "sold out";
        } finally {
            redis.delete("lock"); //@19
        }
    }
}
