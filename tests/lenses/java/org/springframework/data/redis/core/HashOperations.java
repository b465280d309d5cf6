package org.springframework.data.redis.core;

public interface HashOperations<H, HK, HV> {
    HV get(H key, Object hashKey);

    void put(H key, HK hashKey, HV value);

    Boolean putIfAbsent(H key, HK hashKey, HV value);

    Long increment(H key, HK hashKey, long delta);

    Double increment(H key, HK hashKey, double delta);
}
