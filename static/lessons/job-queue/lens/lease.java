import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.stereotype.Service;

@Service
public class Invoices {
    private static final Duration LEASE = Duration.ofSeconds(30); // longer than any job takes
    private static final RedisScript<String> TAKE = RedisScript.of("""
            for _, job in ipairs(redis.call("LRANGE", KEYS[2], 0, -1)) do
              if redis.call("SET", "lease:" .. job, 1, "NX", "PX", ARGV[1]) then return job end
            end
            local job = redis.call("LMOVE", KEYS[1], KEYS[2], "LEFT", "RIGHT")
            if job then redis.call("SET", "lease:" .. job, 1, "PX", ARGV[1]) end
            return job""", String.class); //@3-7

    private final StringRedisTemplate redis;

    public Invoices(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /** Returns when no job is left. It may call send twice for one job. */
    public void workOff(Consumer<String> send) throws InterruptedException {
        List<String> keys = List.of("queue", "doing");
        while (redis.countExistingKeys(keys) > 0) { //@17
            String job = redis.execute(TAKE, keys, Long.toString(LEASE.toMillis())); //@11
            if (job == null) {
                Thread.sleep(1000); //@12
                continue;
            }
            try {
                send.accept(job); //@13
            } catch (RuntimeException error) {
                System.err.println(job + " fails, and is taken again after its lease: " + error);
                continue;
            }
            redis.opsForList().remove("doing", 1, job); //@14
        }
    }
}
