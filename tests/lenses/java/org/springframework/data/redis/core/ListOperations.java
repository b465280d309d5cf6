package org.springframework.data.redis.core;

public interface ListOperations<K, V> {
    V leftPop(K key);

    Long rightPush(K key, V value);

    Long remove(K key, long count, Object value);
}
