package org.redisson.api;

public interface RFencedLock extends RLock {
    Long lockAndGetToken();
}
