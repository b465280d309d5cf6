import org.springframework.data.redis.core.StringRedisTemplate;

/** The old recipe. New code uses setIfAbsent with a Duration. */
class TimeLock {
    private static final long LEASE_MS = 10_000;
    private final StringRedisTemplate redis;

    TimeLock(StringRedisTemplate redis) {
        this.redis = redis;
    }

    private static boolean expired(String time) { //@1-3
        return time == null || Long.parseLong(time) < System.currentTimeMillis(); //@2
    }

    void workOnce() throws InterruptedException {
        long deadline = System.currentTimeMillis() + LEASE_MS; //@6
        while (!taken(Long.toString(deadline))) {
            Thread.sleep(3); //@15
            deadline = System.currentTimeMillis() + LEASE_MS; //@6
        }
        redis.opsForValue().increment("jobs"); //@19
        if (System.currentTimeMillis() < deadline) { //@21
            redis.delete("lock"); //@22
        }
    }

    private boolean taken(String time) {
        if (Boolean.TRUE.equals(redis.opsForValue().setIfAbsent("lock", time))) { //@7
            return true;
        }
        return expired(redis.opsForValue().get("lock")) //@8
            && expired(redis.opsForValue().getAndSet("lock", time)); //@9
    }
}
