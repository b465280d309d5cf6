package standin;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Runs lenses that take a StringRedisTemplate, or a list of them, or a mapper of MyBatis. The argument
 * is the port. A line of input is the name of a class and options, `lens.Shop work_ms=2`; a line of
 * output says how its method ended, in JSON.
 */
public final class Run {
    private Run() {}

    public static void main(String[] arguments) throws Exception {
        Wire wire = new Wire(Integer.parseInt(arguments[0]));
        var lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            List<String> words = List.of(line.split(" "));
            Map<String, String> options = new HashMap<>();
            for (String word : words.subList(1, words.size())) {
                String[] pair = word.split("=");
                options.put(pair[0], pair[1]);
            }
            String ended;
            try {
                Object value = run(Class.forName(words.get(0)), wire, options);
                boolean quote = value instanceof String;
                ended = "{\"value\":" + (quote ? "\"" + value + "\"" : value) + "}";
            } catch (InvocationTargetException error) {
                String text = String.valueOf(error.getCause());
                ended = "{\"error\":\"" + text.replaceAll("[\"\\\\\n]", "'") + "\"}";
            }
            System.out.println(ended);
        }
    }

    private static Object run(Class<?> lens, Wire wire, Map<String, String> options)
            throws ReflectiveOperationException {
        var maker = lens.getDeclaredConstructors()[0];
        maker.setAccessible(true);
        var work = new Work(wire, Long.parseLong(options.get("work_ms")));
        Object client = new StringRedisTemplate(wire);
        if (options.containsKey("sql")) {
            client = Mapper.of(maker.getParameterTypes()[0], wire, work);
        }
        if (options.containsKey("ports")) {
            client = Stream.of(options.get("ports").split(","))
                    .map(port -> new StringRedisTemplate(new Wire(Integer.parseInt(port))))
                    .toList();
        }
        Method method = Stream.of(lens.getDeclaredMethods()).filter(Run::isTheLens).findFirst().orElseThrow();
        method.setAccessible(true);
        var texts = List.of(options.getOrDefault("given", "").split(",")).iterator();
        List<Object> given = new ArrayList<>();
        for (Class<?> type : method.getParameterTypes()) {
            given.add(type == String.class ? texts.next() : work);
        }
        Object value = method.invoke(maker.newInstance(client), given.toArray());
        return value instanceof Optional<?> optional ? optional.orElse(null) : value;
    }

    /** What a lens is to do, or to load: how often that was asked for. */
    private record Work(Wire wire, long ms) implements Runnable, Supplier<Long>, Consumer<Object> {
        @Override
        public void run() {
            get();
        }

        @Override
        public void accept(Object given) {
            get();
        }

        @Override
        public Long get() {
            Object worked = wire.call(List.of("INCR", "worked"));
            try {
                Thread.sleep(ms);
            } catch (InterruptedException error) {
                throw new IllegalStateException(error);
            }
            return (Long) worked;
        }
    }

    /** A lens has one method that is no helper; a record has those of java.lang.Object too. */
    private static boolean isTheLens(Method method) {
        int modifiers = method.getModifiers();
        boolean helper = Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || method.isSynthetic();
        return !helper && !List.of("redis", "equals", "hashCode", "toString").contains(method.getName());
    }
}
