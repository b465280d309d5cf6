package org.springframework.data.redis.core.script;

public interface RedisScript<T> {
    Class<T> getResultType();

    String getScriptAsString();

    static <T> RedisScript<T> of(String script) {
        return of(script, null);
    }

    static <T> RedisScript<T> of(String script, Class<T> resultType) {
        return new RedisScript<>() {
            @Override
            public Class<T> getResultType() {
                return resultType;
            }

            @Override
            public String getScriptAsString() {
                return script;
            }
        };
    }
}
