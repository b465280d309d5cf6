package redis.clients.jedis.exceptions;

public class JedisDataException extends RuntimeException {
    public JedisDataException(String message) {
        super(message);
    }
}
