package org.springframework.jdbc.core;

public interface JdbcTemplate {
    <T> T queryForObject(String sql, Class<T> requiredType);

    int update(String sql, Object... args);
}
