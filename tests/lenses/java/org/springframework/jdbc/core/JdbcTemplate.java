package org.springframework.jdbc.core;

public interface JdbcTemplate {
    int update(String sql, Object... args);
}
