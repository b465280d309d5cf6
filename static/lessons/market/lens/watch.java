import java.util.List;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

class Market {
    private final StringRedisTemplate template;

    Market(StringRedisTemplate template) {
        this.template = template;
    }

    /** False where the lamp is gone, or the buyer has too little. */
    boolean buyLamp(String buyer) { //@1
        // One session is one connection: WATCH counts only there.
        return template.execute(new SessionCallback<Boolean>() {
            @Override
            @SuppressWarnings("unchecked")
            public <K, V> Boolean execute(RedisOperations<K, V> operations) {
                var redis = (RedisOperations<String, String>) operations;
                List<Object> done;
                do { //@2
                    redis.watch(List.of("market", buyer)); //@3
                    Double price = redis.opsForZSet().score("market", "lamp.carol"); //@4
                    String funds = (String) redis.opsForHash().get(buyer, "funds"); //@5
                    if (price == null || Long.parseLong(funds) < price) { //@6
                        redis.unwatch(); //@7
                        return false; //@8
                    }
                    redis.multi(); //@10
                    redis.opsForHash().increment(buyer, "funds", -price.longValue()); //@11
                    redis.opsForHash().increment("user:carol", "funds", price.longValue()); //@12
                    redis.opsForSet().add(buyer + ":items", "lamp"); //@13
                    redis.opsForZSet().remove("market", "lamp.carol"); //@14
                    done = redis.exec(); //@15
                } while (done.isEmpty()); // refused //@16
                return true;
            }
        });
    }
}
