import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

class Prices {
    private static final RedisScript<Long> FILL = RedisScript.of("""
        if redis.call("GET", KEYS[2]) == ARGV[2] then
          redis.call("SET", KEYS[1], ARGV[1], "PX", 1000)
          redis.call("DEL", KEYS[2])
          return 1
        end
        return 0""", Long.class); //@1-7
    private final StringRedisTemplate redis;

    Prices(StringRedisTemplate redis) {
        this.redis = redis;
    }

    long read(Supplier<Long> selectPrice) {
        String cached = redis.opsForValue().get("price:7"); //@8
        if (cached != null) return Long.parseLong(cached); //@9
        String token = UUID.randomUUID().toString(); //@10
        Boolean mine = redis.opsForValue() //@11
            .setIfAbsent("lease:7", token, Duration.ofSeconds(10)); //@11
        long price = selectPrice.get(); //@12
        if (Boolean.TRUE.equals(mine)) { //@13
            redis.execute(FILL, List.of("price:7", "lease:7"), String.valueOf(price), token); //@14
        } //@15
        return price; //@16-17
    }
}
