package org.springframework.data.redis.core;

import java.util.Set;

public interface ZSetOperations<K, V> {
    Boolean add(K key, V value, double score);

    Double score(K key, Object o);

    Long rank(K key, Object o);

    Double incrementScore(K key, V value, double delta);

    Long remove(K key, Object... values);

    Set<V> rangeByScore(K key, double min, double max, long offset, long count);

    Long removeRangeByScore(K key, double min, double max);
}
