package org.springframework.data.redis.core;

public interface SessionCallback<T> {
    <K, V> T execute(RedisOperations<K, V> operations);
}
