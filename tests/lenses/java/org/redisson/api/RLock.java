package org.redisson.api;

import java.util.concurrent.locks.Lock;

public interface RLock extends Lock {}
