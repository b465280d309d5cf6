package org.springframework.dao;

public abstract class DataAccessException extends RuntimeException {
    private static final long serialVersionUID = 1;

    protected DataAccessException(String message, Throwable cause) {
        super(message, cause);
    }
}
