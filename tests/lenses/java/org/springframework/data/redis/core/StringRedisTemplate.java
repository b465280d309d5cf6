package org.springframework.data.redis.core;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.data.redis.core.types.Expiration;
import standin.Wire;

/**
 * Stands in for Spring's. Keys, values and arguments must be strings, as there: anything else is a
 * ClassCastException. While a transaction is open, commands answer null.
 */
public class StringRedisTemplate implements RedisOperations<String, String> {
    private final Wire wire;
    private boolean queueing;

    public StringRedisTemplate(Wire wire) {
        this.wire = wire;
    }

    private Object call(Object... words) {
        List<String> strings = new ArrayList<>();
        for (Object word : words) strings.add((String) word);
        try {
            Object reply = wire.call(strings);
            return queueing ? null : reply;
        } catch (UncheckedIOException error) {
            throw new RedisConnectionFailureException("no answer", error);
        }
    }

    private static Double real(Object reply) {
        return reply == null ? null : Double.valueOf((String) reply);
    }

    private static Boolean is(Object reply, Object wanted) {
        return wanted.equals(reply);
    }

    private static String score(double score) {
        return score == Double.NEGATIVE_INFINITY ? "-inf" : Double.toString(score);
    }

    @Override
    public ValueOperations<String, String> opsForValue() {
        return new ValueOperations<>() {
            @Override
            public void set(String key, String value) {
                call("SET", key, value);
            }

            @Override
            public Boolean setIfAbsent(String key, String value) {
                return is(call("SETNX", key, value), 1L);
            }

            @Override
            public Boolean setIfAbsent(String key, String value, Duration timeout) {
                String ms = Long.toString(timeout.toMillis());
                return is(call("SET", key, value, "PX", ms, "NX"), "OK");
            }

            @Override
            public Boolean setIfPresent(String key, String value, Expiration expiration) {
                return is(call("SET", key, value, "KEEPTTL", "XX"), "OK");
            }

            @Override
            public String get(Object key) {
                return (String) call("GET", key);
            }

            @Override
            @SuppressWarnings("unchecked")
            public List<String> multiGet(Collection<String> keys) {
                List<Object> words = new ArrayList<>(List.of("MGET"));
                words.addAll(keys);
                return (List<String>) call(words.toArray());
            }

            @Override
            public void multiSet(Map<? extends String, ? extends String> map) {
                List<Object> words = new ArrayList<>(List.of("MSET"));
                map.forEach((key, value) -> words.addAll(List.of(key, value)));
                call(words.toArray());
            }

            @Override
            public String getAndDelete(String key) {
                return (String) call("GETDEL", key);
            }

            @Override
            public String getAndSet(String key, String value) {
                return (String) call("GETSET", key, value);
            }

            @Override
            public Long increment(String key) {
                return (Long) call("INCR", key);
            }

            @Override
            public Long increment(String key, long delta) {
                return (Long) call("INCRBY", key, Long.toString(delta));
            }

            @Override
            public Double increment(String key, double delta) {
                return real(call("INCRBYFLOAT", key, Double.toString(delta)));
            }

            @Override
            public Long decrement(String key) {
                return (Long) call("DECR", key);
            }

            @Override
            public Long decrement(String key, long delta) {
                return (Long) call("DECRBY", key, Long.toString(delta));
            }
        };
    }

    @Override
    public ListOperations<String, String> opsForList() {
        return new ListOperations<>() {
            @Override
            public String leftPop(String key) {
                return (String) call("LPOP", key);
            }

            @Override
            public Long rightPush(String key, String value) {
                return (Long) call("RPUSH", key, value);
            }

            @Override
            public Long remove(String key, long count, Object value) {
                return (Long) call("LREM", key, Long.toString(count), value);
            }
        };
    }

    @Override
    public <HK, HV> HashOperations<String, HK, HV> opsForHash() {
        return new HashOperations<>() {
            @Override
            @SuppressWarnings("unchecked")
            public HV get(String key, Object hashKey) {
                return (HV) call("HGET", key, hashKey);
            }

            @Override
            public void put(String key, HK hashKey, HV value) {
                call("HSET", key, hashKey, value);
            }

            @Override
            public Boolean putIfAbsent(String key, HK hashKey, HV value) {
                return is(call("HSETNX", key, hashKey, value), 1L);
            }

            @Override
            public Long increment(String key, HK hashKey, long delta) {
                return (Long) call("HINCRBY", key, hashKey, Long.toString(delta));
            }

            @Override
            public Double increment(String key, HK hashKey, double delta) {
                return real(call("HINCRBYFLOAT", key, hashKey, Double.toString(delta)));
            }
        };
    }

    @Override
    public SetOperations<String, String> opsForSet() {
        return (key, values) -> {
            List<Object> words = new ArrayList<>(List.of("SADD", key));
            words.addAll(List.of(values));
            return (Long) call(words.toArray());
        };
    }

    @Override
    public ZSetOperations<String, String> opsForZSet() {
        return new ZSetOperations<>() {
            @Override
            public Boolean add(String key, String value, double score) {
                return is(call("ZADD", key, StringRedisTemplate.score(score), value), 1L);
            }

            @Override
            public Double score(String key, Object o) {
                return real(call("ZSCORE", key, o));
            }

            @Override
            public Long rank(String key, Object o) {
                return (Long) call("ZRANK", key, o);
            }

            @Override
            public Double incrementScore(String key, String value, double delta) {
                return real(call("ZINCRBY", key, Double.toString(delta), value));
            }

            @Override
            public Long remove(String key, Object... values) {
                List<Object> words = new ArrayList<>(List.of("ZREM", key));
                words.addAll(List.of(values));
                return (Long) call(words.toArray());
            }

            @Override
            public Set<String> rangeByScore(String key, double min, double max, long offset, long count) {
                String from = StringRedisTemplate.score(min);
                String to = StringRedisTemplate.score(max);
                Object found = call("ZRANGEBYSCORE", key, from, to, "LIMIT", Long.toString(offset), Long.toString(count));
                Set<String> members = new LinkedHashSet<>();
                ((List<?>) found).forEach(member -> members.add((String) member));
                return members;
            }

            @Override
            public Long removeRangeByScore(String key, double min, double max) {
                String from = StringRedisTemplate.score(min);
                return (Long) call("ZREMRANGEBYSCORE", key, from, StringRedisTemplate.score(max));
            }
        };
    }

    @Override
    public Boolean delete(String key) {
        return is(call("DEL", key), 1L);
    }

    @Override
    public Long countExistingKeys(Collection<String> keys) {
        List<Object> words = new ArrayList<>(List.of("EXISTS"));
        words.addAll(keys);
        return (Long) call(words.toArray());
    }

    @Override
    public Boolean expire(String key, Duration timeout) {
        return is(call("PEXPIRE", key, Long.toString(timeout.toMillis())), 1L);
    }

    @Override
    public void watch(String key) {
        call("WATCH", key);
    }

    @Override
    public void watch(Collection<String> keys) {
        List<Object> words = new ArrayList<>(List.of("WATCH"));
        words.addAll(keys);
        call(words.toArray());
    }

    @Override
    public void unwatch() {
        call("UNWATCH");
    }

    @Override
    public void multi() {
        call("MULTI");
        queueing = true;
    }

    @Override
    public List<Object> exec() {
        queueing = false;
        List<Object> replies = new ArrayList<>();
        if (call("EXEC") instanceof List<?> all) replies.addAll(all);
        return replies;
    }

    @Override
    public <T> T execute(SessionCallback<T> session) {
        return session.execute(this);
    }

    @Override
    public <T> T execute(RedisScript<T> script, List<String> keys, Object... args) {
        List<Object> words = new ArrayList<>(List.of("EVAL", script.getScriptAsString()));
        words.add(Integer.toString(keys.size()));
        words.addAll(keys);
        words.addAll(List.of(args));
        Object reply = call(words.toArray());
        Class<T> type = script.getResultType();
        if (type == null || reply == null) return null;
        return type.cast(type == Boolean.class ? is(reply, 1L) : reply);
    }
}
