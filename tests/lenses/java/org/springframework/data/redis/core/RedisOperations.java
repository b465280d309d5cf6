package org.springframework.data.redis.core;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.springframework.data.redis.core.script.RedisScript;

public interface RedisOperations<K, V> {
    ValueOperations<K, V> opsForValue();

    ListOperations<K, V> opsForList();

    <HK, HV> HashOperations<K, HK, HV> opsForHash();

    SetOperations<K, V> opsForSet();

    ZSetOperations<K, V> opsForZSet();

    Boolean delete(K key);

    Long countExistingKeys(Collection<K> keys);

    Boolean expire(K key, Duration timeout);

    void watch(K key);

    void watch(Collection<K> keys);

    void unwatch();

    void multi();

    List<Object> exec();

    <T> T execute(SessionCallback<T> session);

    <T> T execute(RedisScript<T> script, List<K> keys, Object... args);
}
