import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

class Market {
    private final StringRedisTemplate template;

    Market(StringRedisTemplate template) {
        this.template = template;
    }

    /** False where the lamp is gone, the buyer has too little, or ten attempts were refused. */
    boolean buyLamp(String buyer) throws InterruptedException { //@1
        for (int attempt = 0; attempt < 10; attempt++) { //@2
            // One session is one connection: WATCH counts only there.
            Boolean bought = template.execute(new SessionCallback<Boolean>() {
                @Override
                @SuppressWarnings("unchecked")
                public <K, V> Boolean execute(RedisOperations<K, V> operations) {
                    var redis = (RedisOperations<String, String>) operations;
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
                    return redis.exec().isEmpty() ? null : true; // null: refused //@15
                }
            });
            if (bought != null) return bought; //@16
            Thread.sleep(ThreadLocalRandom.current().nextInt(20));
        }
        return false;
    }
}
