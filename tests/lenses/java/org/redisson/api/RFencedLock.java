package org.redisson.api;

import java.util.concurrent.TimeUnit;

public interface RFencedLock extends RLock {
    /** Null where the lock is taken for so long. */
    Long tryLockAndGetToken(long waitTime, TimeUnit unit);
}
