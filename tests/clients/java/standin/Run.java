package standin;

import java.lang.reflect.InvocationTargetException;

/** Runs the test of each class named, as JUnit would, and says on a line of its own how it ended. */
public final class Run {
    private Run() {}

    public static void main(String[] classes) throws ReflectiveOperationException {
        for (String name : classes) {
            var maker = Class.forName(name).getDeclaredConstructor();
            maker.setAccessible(true);
            var test = Class.forName(name).getDeclaredMethod("schedule");
            test.setAccessible(true);
            String ended = "passed";
            try {
                test.invoke(maker.newInstance());
            } catch (InvocationTargetException error) {
                Throwable why = error;
                while (why.getCause() != null) why = why.getCause();
                ended = "failed: " + why;
            }
            System.out.println(name + " " + ended);
        }
        System.exit(0); // a test that fails leaves threads that wait
    }
}
