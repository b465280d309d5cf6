package standin;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;

/** Stands in for MyBatis and its database: the two statements that lenses have, on a row that is the hash `act`. */
final class Mapper {
    private static final String SELECT = "SELECT num FROM act WHERE act_id = 1";
    private static final String UPDATE = "UPDATE act SET num = ? WHERE act_id = 1 AND num = ?";
    private static final String SET = """
            if redis.call("HGET", KEYS[1], "num") ~= ARGV[2] then return 0 end
            redis.call("HSET", KEYS[1], "num", ARGV[1])
            return 1""";
    private static final Pattern PLACE = Pattern.compile("#\\{(\\w+)}");

    private Mapper() {}

    /** Makes a mapper. What follows a SELECT is work. */
    static Object of(Class<?> type, Wire wire, Runnable work) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, values) -> {
            if (method.isAnnotationPresent(Select.class)) {
                expect(SELECT, String.join(" ", method.getAnnotation(Select.class).value()));
                Object num = wire.call(List.of("HGET", "act", "num"));
                work.run();
                return Integer.valueOf((String) num);
            }
            String sql = String.join(" ", method.getAnnotation(Update.class).value());
            expect(UPDATE, PLACE.matcher(sql).replaceAll("?"));
            Map<String, String> named = named(method, values);
            List<String> words = new ArrayList<>(List.of("EVAL", SET, "1", "act"));
            PLACE.matcher(sql).results().forEach(place -> words.add(named.get(place.group(1))));
            return ((Long) wire.call(words)).intValue();
        });
    }

    private static Map<String, String> named(Method method, Object[] values) {
        Map<String, String> named = new HashMap<>();
        Parameter[] parameters = method.getParameters();
        for (int at = 0; at < parameters.length; at++) {
            named.put(parameters[at].getAnnotation(Param.class).value(), values[at].toString());
        }
        return named;
    }

    private static void expect(String known, String sql) {
        if (!known.equals(sql)) throw new IllegalStateException("unknown statement: " + sql);
    }
}
