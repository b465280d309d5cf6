package org.springframework.data.redis.core.types;

/** Of the library's expirations, the one that lenses use. */
public class Expiration {
    private Expiration() {}

    public static Expiration keepTtl() {
        return new Expiration();
    }
}
