package org.springframework.data.redis.core;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.springframework.data.redis.core.types.Expiration;

public interface ValueOperations<K, V> {
    void set(K key, V value);

    Boolean setIfAbsent(K key, V value);

    Boolean setIfAbsent(K key, V value, Duration timeout);

    Boolean setIfPresent(K key, V value, Expiration expiration);

    V get(Object key);

    List<V> multiGet(Collection<K> keys);

    void multiSet(Map<? extends K, ? extends V> map);

    V getAndDelete(K key);

    V getAndSet(K key, V value);

    Long increment(K key);

    Long increment(K key, long delta);

    Double increment(K key, double delta);

    Long decrement(K key);

    Long decrement(K key, long delta);
}
