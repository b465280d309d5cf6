use super::*;

fn run(tables: &mut Tables, text: &str, args: &[Data]) -> Result<Answer, String> {
    tables.execute(&Prepared::new(text.as_bytes(), args)?)
}

fn shop() -> Tables {
    let mut tables = Tables::default();
    for text in [
        "CREATE TABLE act (act_id INT PRIMARY KEY, num INT, title VARCHAR(20))",
        "INSERT INTO act VALUES (2, 5, 'run'), (1, 3, 'swim')",
        "insert into act (act_id, num) values (3, -1);",
    ] {
        run(&mut tables, text, &[]).expect(text);
    }
    tables
}

#[test]
fn statements_do_what_they_say() {
    let mut tables = shop();
    let num = |n: f64| Data::Num(n);
    let affected = |answer: Result<Answer, String>| match answer {
        Ok(Answer::Affected(count)) => count,
        other => panic!("{other:?}"),
    };
    let cas = "UPDATE act SET num = ? WHERE act_id = ? AND num = ?";
    assert_eq!(affected(run(&mut tables, cas, &[num(4.0), num(1.0), num(3.0)])), 1);
    assert_eq!(affected(run(&mut tables, cas, &[num(4.0), num(1.0), num(3.0)])), 0);
    // A number that came from Redis is a string.
    assert_eq!(affected(run(&mut tables, cas, &[num(9.0), Data::str("1"), Data::str("4")])), 1);
    let down = "UPDATE act SET num = num - 1, title = 'less' WHERE num > 0";
    assert_eq!(affected(run(&mut tables, down, &[])), 2);
    let shown = |tables: &mut Tables, text: &str| match run(tables, text, &[]) {
        Ok(answer) => answer.to_reply().to_cli_short(),
        Err(why) => why,
    };
    assert_eq!(shown(&mut tables, "SELECT num FROM act WHERE act_id = 1"), "num = 8");
    assert_eq!(shown(&mut tables, "SELECT COUNT(*) FROM act WHERE num >= 4"), "COUNT(*) = 2");
    let row = run(&mut tables, "SELECT * FROM act WHERE act_id = 3", &[]).expect("a row");
    assert_eq!(row.to_lua().short(), "{{act_id = 3, num = -1, title = nil}}");
    assert_eq!(affected(run(&mut tables, "DELETE FROM act WHERE title <> 'less'", &[])), 0);
    assert_eq!(affected(run(&mut tables, "DELETE FROM act WHERE num < ?", &[num(8.0)])), 2);
    assert_eq!(tables.get("act").map(|table| table.rows.len()), Some(1));
}

#[test]
fn the_order_of_insertion_does_not_matter_where_there_is_a_key() {
    let mut one = shop();
    let mut other = shop();
    run(&mut one, "INSERT INTO act VALUES (7, 1, 'a')", &[]).expect("inserted");
    run(&mut one, "INSERT INTO act VALUES (6, 1, 'a')", &[]).expect("inserted");
    run(&mut other, "INSERT INTO act VALUES (6, 1, 'a'), (7, 1, 'a')", &[]).expect("inserted");
    assert_eq!(one, other);
}

#[test]
fn rows_are_sorted_and_summed_as_in_mysql() {
    let mut tables = shop();
    run(&mut tables, "INSERT INTO act VALUES (4, 5, 'ski'), (5, NULL, 'ski')", &[]).expect("rows");
    for (text, told) in [
        // NULL comes first, and last where the order is reversed.
        ("SELECT act_id FROM act ORDER BY num", "5, 3, 1, 2, 4"),
        ("SELECT act_id FROM act ORDER BY num DESC", "2, 4, 1, 3, 5"),
        ("SELECT act_id FROM act ORDER BY num DESC, act_id DESC LIMIT 2", "4, 2"),
        ("SELECT act_id FROM act WHERE num > 0 ORDER BY title asc, num DESC LIMIT 9", "2, 4, 1"),
        ("SELECT act_id FROM act LIMIT 0", ""),
    ] {
        let Ok(Answer::Rows(_, rows)) = run(&mut tables, text, &[]) else { panic!("{text}") };
        let ids: Vec<String> = rows.iter().map(|row| row[0].to_string()).collect();
        assert_eq!(ids.join(", "), told, "{text}");
    }
    for (text, told) in [
        ("SELECT MAX(num) FROM act", "MAX(num) = 5"),
        ("select max( num ), MIN(num) AS least from act", "max( num ) = 5, least = -1"),
        ("SELECT MAX(num), COUNT(*) FROM act WHERE num > 9", "MAX(num) = NULL, COUNT(*) = 0"),
        ("SELECT num AS n FROM act WHERE act_id = 1", "n = 3"),
    ] {
        let answer = run(&mut tables, text, &[]).expect(text);
        assert_eq!(answer.to_reply().to_cli_short(), told);
    }
    let limit = run(&mut tables, "SELECT num FROM act LIMIT ?", &[Data::Num(1.0)]);
    assert_eq!(limit.expect("a row").to_lua().short(), "{{num = 3}}");
}

#[test]
fn unique_columns_hold_a_value_once() {
    let mut tables = Tables::default();
    let create = "CREATE TABLE o (id INT PRIMARY KEY, request TEXT UNIQUE, a INT, b INT, \
                  UNIQUE KEY (a, b))";
    run(&mut tables, create, &[]).expect("a table");
    run(&mut tables, "INSERT INTO o VALUES (1, 'r1', 1, 1), (2, NULL, 1, 2)", &[]).expect("rows");
    for (text, told) in [
        ("INSERT INTO o VALUES (3, 'r1', 2, 2)", Err("Duplicate entry 'r1' for key 'o.request'")),
        ("INSERT INTO o VALUES (3, NULL, 1, 2)", Err("Duplicate entry '1-2' for key 'o.a'")),
        ("UPDATE o SET b = 1", Err("Duplicate entry '1-1' for key 'o.a'")),
        ("INSERT INTO o VALUES (3, NULL, NULL, 2)", Ok(1)),
        ("INSERT INTO o VALUES (4, NULL, NULL, 2)", Ok(1)),
    ] {
        let answer = run(&mut tables, text, &[]);
        let told = told.map(Answer::Affected).map_err(|why| format!("SQL: {why}"));
        assert_eq!(answer, told, "{text}");
    }
}

#[test]
fn mistakes_are_named_with_what_would_be_right() {
    let before = shop();
    for (text, args, words) in [
        ("SELEKT 1", &[][..], "SELECT … FROM"),
        ("BEGIN", &[], "only a program has transactions"),
        ("ROLLBACK TO a", &[], "\"TO\" is not understood"),
        ("SELECT num FROM act FOR SHARE", &[], "UPDATE should stand in place of \"SHARE\""),
        ("SELECT num FROM acts", &[], "the tables are: act"),
        ("SELECT nom FROM act", &[], "the columns are: act_id, num, title"),
        ("SELECT num FROM act GROUP BY num", &[], "\"GROUP\" is not understood"),
        ("SELECT num FROM act ORDER num", &[], "BY should stand in place of \"num\""),
        ("SELECT num FROM act ORDER BY nom", &[], "the columns are: act_id, num, title"),
        ("SELECT num FROM act LIMIT -1", &[], "LIMIT takes a number from 0"),
        ("SELECT SUM(num) FROM act", &[], "MAX(a) and MIN(a), not SUM"),
        ("SELECT num, MAX(num) FROM act", &[], "they make one row of all"),
        ("CREATE TABLE t (n INT, UNIQUE (m))", &[], "no column m"),
        ("SELECT num FROM act WHERE num", &[], "with =, <>, <, <=, > or >="),
        ("UPDATE act SET num = WHERE act_id = 1", &[], "\"act_id\" is not understood"),
        ("UPDATE act SET num = 'x'", &[], "'x' is not an integer"),
        ("UPDATE act SET num = ?", &[], "1 ? in the statement, but 0 values"),
        ("UPDATE act SET num = ?", &[Data::Num(0.5)], "integers and strings"),
        ("INSERT INTO act VALUES (1, 1, 'x')", &[], "Duplicate entry '1' for key 'act.PRIMARY'"),
        ("INSERT INTO act VALUES (1, 1)", &[], "3 columns but 2 values"),
        ("INSERT INTO act (num) VALUES (1)", &[], "act_id cannot be NULL"),
        ("UPDATE act SET num = num + 9223372036854775807", &[], "out of range"),
        ("SELECT 'x FROM act", &[], "its quote is missing"),
        ("", &[], "a statement is"),
        ("SELECT # FROM act", &[], "\"#\" has no meaning"),
        ("CREATE TABLE act (n INT)", &[], "there already"),
    ] {
        let mut tables = before.clone();
        let why = run(&mut tables, text, args).expect_err(text);
        assert!(why.contains(words), "{text}: {why}");
        assert!(tables == before, "{text} has changed something");
    }
}

#[test]
fn a_statement_is_shown_with_its_values() {
    let args = [Data::Num(4.0), Data::str("a")];
    let text = b"UPDATE act SET num = ?\nWHERE title = '?' AND title = ?";
    let shown = Prepared::new(text, &args).expect("a statement").to_string();
    assert_eq!(shown, "UPDATE act SET num = 4 WHERE title = '?' AND title = 'a'");
}
