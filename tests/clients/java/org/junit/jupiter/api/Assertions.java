package org.junit.jupiter.api;

import java.util.Objects;

/** With the overloads between which javac chooses for a number. */
public final class Assertions {
    private Assertions() {}

    public static void assertEquals(long expected, long actual) {
        assertEquals((Object) expected, (Object) actual);
    }

    public static void assertEquals(long expected, Long actual) {
        assertEquals((Object) expected, (Object) actual);
    }

    public static void assertEquals(Long expected, long actual) {
        assertEquals((Object) expected, (Object) actual);
    }

    public static void assertEquals(Long expected, Long actual) {
        assertEquals((Object) expected, (Object) actual);
    }

    public static void assertEquals(Object expected, Object actual) {
        assertTrue(Objects.equals(expected, actual), "expected: " + expected + " but was: " + actual);
    }

    public static void assertTrue(boolean is) {
        assertTrue(is, "expected: true but was: false");
    }

    public static void assertTrue(boolean is, String message) {
        if (!is) throw new AssertionError(message);
    }
}
