import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;

interface ActMapper {
    @Select("SELECT num FROM act WHERE act_id = 1") //@1
    int num();

    /** Returns the number of rows: 0 where num has changed. */
    @Update("UPDATE act SET num = #{next} WHERE act_id = 1 AND num = #{num}") //@3
    int compareAndSet(@Param("num") int num, @Param("next") int next);
}

class SignUp {
    private static final int PLACES = 2;

    private final ActMapper act;

    SignUp(ActMapper act) {
        this.act = act;
    }

    String register() {
        int num = act.num(); //@1
        if (num < PLACES) { //@2
            int rows = act.compareAndSet(num, num + 1); //@3
            if (rows == 1) { //@4
                return "registered"; //@5
            }
            return "outrun"; //@6-7
        }
        return "full";
    }
}
