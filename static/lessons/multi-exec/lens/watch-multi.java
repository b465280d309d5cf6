import java.util.List;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

class Bank {
    private final StringRedisTemplate template;

    Bank(StringRedisTemplate template) {
        this.template = template;
    }

    /** False where alice has too little, or her balance has changed in between. */
    boolean pay() {
        // One session is one connection: MULTI and EXEC belong to a connection.
        return template.execute(new SessionCallback<Boolean>() {
            @Override
            @SuppressWarnings("unchecked")
            public <K, V> Boolean execute(RedisOperations<K, V> operations) {
                var redis = (RedisOperations<String, String>) operations;
                redis.watch("alice"); //@1
                // Read before multi(): inside, get() returns null.
                int alice = Integer.parseInt(redis.opsForValue().get("alice")); //@2
                if (alice < 10) { //@3
                    redis.unwatch(); //@11
                    return false;
                }
                redis.multi(); //@4
                redis.opsForValue().decrement("alice", 10); //@5
                redis.opsForValue().increment("bob", 10); //@6
                List<Object> replies = redis.exec(); //@7
                return !replies.isEmpty(); //@8
            }
        });
    }
}
