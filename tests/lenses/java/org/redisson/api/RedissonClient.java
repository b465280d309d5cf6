package org.redisson.api;

public interface RedissonClient {
    RLock getLock(String name);

    RFencedLock getFencedLock(String name);
}
