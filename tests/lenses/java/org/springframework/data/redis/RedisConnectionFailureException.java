package org.springframework.data.redis;

import org.springframework.dao.DataAccessException;

public class RedisConnectionFailureException extends DataAccessException {
    private static final long serialVersionUID = 1;

    public RedisConnectionFailureException(String message, Throwable cause) {
        super(message, cause);
    }
}
