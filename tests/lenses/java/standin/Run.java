package standin;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Runs lenses that take a StringRedisTemplate. The argument is the port. A line of input is the name
 * of a class; a line of output says how its method ended, in JSON.
 */
public final class Run {
    private Run() {}

    public static void main(String[] arguments) throws Exception {
        Wire wire = new Wire(Integer.parseInt(arguments[0]));
        var work = new Work(wire);
        var lines = new BufferedReader(new InputStreamReader(System.in));
        for (String name = lines.readLine(); name != null; name = lines.readLine()) {
            String ended;
            try {
                Object value = run(Class.forName(name), new StringRedisTemplate(wire), work);
                boolean quote = value instanceof String;
                ended = "{\"value\":" + (quote ? "\"" + value + "\"" : value) + "}";
            } catch (InvocationTargetException error) {
                String text = String.valueOf(error.getCause());
                ended = "{\"error\":\"" + text.replaceAll("[\"\\\\\n]", "'") + "\"}";
            }
            System.out.println(ended);
        }
    }

    private static Object run(Class<?> lens, StringRedisTemplate redis, Work work)
            throws ReflectiveOperationException {
        var maker = lens.getDeclaredConstructor(StringRedisTemplate.class);
        maker.setAccessible(true);
        Method method = Stream.of(lens.getDeclaredMethods()).filter(Run::isTheLens).findFirst().orElseThrow();
        method.setAccessible(true);
        Object[] given = method.getParameterCount() == 0 ? new Object[0] : new Object[] {work};
        return method.invoke(maker.newInstance(redis), given);
    }

    /** What a lens is to do, or to load: how often that was asked for. */
    private record Work(Wire wire) implements Runnable, Supplier<Long> {
        @Override
        public void run() {
            get();
        }

        @Override
        public Long get() {
            return (Long) wire.call(List.of("INCR", "worked"));
        }
    }

    /** A lens has one method that is no helper; a record has those of java.lang.Object too. */
    private static boolean isTheLens(Method method) {
        int modifiers = method.getModifiers();
        boolean helper = Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || method.isSynthetic();
        return !helper && !List.of("redis", "equals", "hashCode", "toString").contains(method.getName());
    }
}
