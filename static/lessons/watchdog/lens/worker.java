import java.util.concurrent.TimeUnit;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** Works under a lock that Redisson renews until it is released. */
public final class Worker {
    private final RedissonClient redisson;

    public Worker(RedissonClient redisson) {
        this.redisson = redisson;
    }

    /** False where another client is at work. */
    public boolean workOnce() throws InterruptedException {
        RLock lock = redisson.getLock("lock"); //@1-18
        // No lease time: Config.lockWatchdogTimeout holds, 30 s, and the watchdog renews it.
        if (!lock.tryLock()) { //@20
            return false;
        }
        try {
            TimeUnit.SECONDS.sleep(40); //@22
            return true; //@23
        } finally {
            lock.unlock(); //@25
        }
    }
}
