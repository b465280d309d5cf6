package org.springframework.data.redis.core;

public interface SetOperations<K, V> {
    @SuppressWarnings("unchecked")
    Long add(K key, V... values);
}
