import java.util.UUID;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.ZSetOperations;

class Slots {
    private static final int LIMIT = 2;
    private static final long LEASE_MS = 10_000;

    private final ZSetOperations<String, String> sets;

    Slots(StringRedisTemplate redis) {
        sets = redis.opsForZSet();
    }

    boolean tryWork(Runnable work) {
        String id = UUID.randomUUID().toString(); //@1
        sets.removeRangeByScore("slots", Double.NEGATIVE_INFINITY, nowMs() - LEASE_MS); //@2
        sets.add("slots", id, nowMs()); //@3
        Long rank = sets.rank("slots", id); //@4
        boolean entered = rank != null && rank < LIMIT; //@4
        try {
            if (entered) work.run(); //@5-7
        } finally {
            sets.remove("slots", id); //@9
        }
        return entered;
    }

    private static long nowMs() {
        return System.currentTimeMillis();
    }
}
