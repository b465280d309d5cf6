import java.util.List;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The recipe as it stands, flaws included; but WATCH and EXEC go over one connection. */
public record TimeLock(StringRedisTemplate redis) {
    private static boolean expired(Object time) { //@1-3
        return time != null && Long.parseLong((String) time) < System.currentTimeMillis(); //@2
    }

    public void workOnce() throws InterruptedException {
        String time = String.valueOf(System.currentTimeMillis() + 10_000); //@6
        while (!redis.opsForValue().setIfAbsent("lock", time) && !takeOver(time)) { //@7
            Thread.sleep(3); //@23
            time = String.valueOf(System.currentTimeMillis() + 10_000); //@6
        }
        String remembered = redis.opsForValue().get("lock"); //@27
        redis.opsForValue().increment("jobs"); //@28
        if (redis.opsForValue().get("lock").equals(remembered)) { //@30
            redis.delete("lock"); //@31
        }
    }

    private boolean takeOver(String time) {
        return redis.execute(new SessionCallback<Boolean>() {
            @Override
            @SuppressWarnings("unchecked")
            public <K, V> Boolean execute(RedisOperations<K, V> operations) {
                var session = (RedisOperations<String, String>) operations;
                session.watch("lock"); //@9
                if (!expired(session.opsForValue().get("lock"))) { //@10
                    session.unwatch(); //@16
                    return false;
                }
                session.multi(); //@11
                session.opsForValue().getAndSet("lock", time); //@12
                List<Object> replies = session.exec(); //@13
                return replies != null && !replies.isEmpty() && expired(replies.get(0)); //@14
            }
        });
    }
}
