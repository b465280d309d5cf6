import java.util.concurrent.TimeUnit;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** The lock is around the transaction. A caller must not have begun one. */
public final class Orders {
    private final RedissonClient redisson;
    private final TransactionTemplate transaction;
    private final JdbcTemplate jdbc;

    public Orders(RedissonClient redisson, TransactionTemplate transaction, JdbcTemplate jdbc) {
        this.redisson = redisson;
        this.transaction = transaction;
        this.jdbc = jdbc;
    }

    /** Throws also where the lock was lost: another client may have read the same n. */
    public void sell() throws InterruptedException {
        RLock lock = redisson.getLock("lock:7"); //@1-5
        // The wait. There is no lease time: the watchdog renews.
        if (!lock.tryLock(5, TimeUnit.SECONDS)) { //@6
            throw new IllegalStateException("the lock is taken, please try again");
        }
        try {
            // Returns after the COMMIT. @Transactional on this method would commit after the finally.
            transaction.executeWithoutResult(status -> {
                int n = jdbc.queryForObject("SELECT n FROM item WHERE id = 7", Integer.class); //@7
                jdbc.update("UPDATE item SET n = ? WHERE id = 7", n - 1); //@8
            });
        } finally {
            lock.unlock(); //@10
        }
    }
}
