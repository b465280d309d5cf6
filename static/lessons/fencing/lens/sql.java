import java.util.concurrent.TimeUnit;
import org.redisson.api.RFencedLock;
import org.redisson.api.RedissonClient;
import org.springframework.jdbc.core.JdbcTemplate;

/** A lock that hands out a number with every holder, and a table that compares it. */
public final class ReportWriter {
    private static final String UPDATE = //@11
        "UPDATE doc SET body = ?, token = ? WHERE id = 1 AND token <= ?"; //@11
    private final RedissonClient redisson;
    private final JdbcTemplate jdbc;

    public ReportWriter(RedissonClient redisson, JdbcTemplate jdbc) {
        this.redisson = redisson;
        this.jdbc = jdbc;
    }

    /** False where a newer report is there already. */
    public boolean write(String body) {
        RFencedLock lock = redisson.getFencedLock("lock"); //@1-10
        Long token = lock.tryLockAndGetToken(5, TimeUnit.SECONDS); //@14-19
        if (token == null) throw new IllegalStateException("the lock is taken, please try again");
        try {
            jdbc.update(UPDATE, "draft", token, token); //@22
            int rows = jdbc.update(UPDATE, body, token, token); //@23
            return rows == 1; //@24-25
        } finally {
            try {
                lock.unlock(); //@27
            } catch (IllegalMonitorStateException e) {
                // After a pause the lock may be another's. The row has refused a late write.
            }
        }
    }
}
