//! Transactions of tables, as InnoDB has them at READ COMMITTED.

use super::*;

const TABLE: [&str; 2] = [
    "CREATE TABLE t (id INT PRIMARY KEY, n INT, tag TEXT UNIQUE)",
    "INSERT INTO t VALUES (1, 0, 'a'), (2, 0, 'b')",
];

fn shop(programs: &[&str]) -> Scenario {
    Scenario { sql: TABLE.map(str::to_owned).to_vec(), ..cast(programs) }
}

/// What stands in the table: the column n of each row.
fn is(timeline: &Timeline, rows: &str) -> bool {
    let all = "(function() local all = '' for _, row in ipairs(sql('SELECT n FROM t')) do \
               all = all .. row.n .. ' ' end return all end)()";
    truth(timeline, &format!("{all} == '{rows} '"))
}

const B: ClientId = ClientId(1);

/// Returns the client whose transaction keeps B's next statement waiting.
fn owner(timeline: &Timeline) -> Option<ClientId> {
    match timeline.world().possible(Action::Step(B)) {
        Err(Impossible::RowLocked { client: B, owner }) => Some(owner),
        _ => None,
    }
}

/// Which statements wait for an open transaction that holds row 1: its n is 1 and its tag c there.
#[test]
fn a_statement_waits_for_the_rows_that_it_meets() {
    let holder = "sql('BEGIN') sql('UPDATE t SET n = 1, tag = ? WHERE id = 1', 'c')";
    for (statement, waits) in [
        ("SELECT n FROM t", false),
        ("SELECT n FROM t WHERE id = 1 FOR UPDATE", true),
        ("SELECT n FROM t WHERE id > 1 FOR UPDATE", false),
        ("SELECT n FROM t WHERE n = 7 FOR UPDATE", true),
        ("UPDATE t SET n = 5 WHERE id = 1", true),
        ("UPDATE t SET n = 5 WHERE id = 1 AND n = 7", true),
        ("UPDATE t SET n = 5 WHERE id = 2", false),
        // It looks at what is committed: there n is 0.
        ("UPDATE t SET n = 5 WHERE n = 1", false),
        ("UPDATE t SET n = 5 WHERE n = 0", true),
        ("DELETE FROM t WHERE n = 7", true),
        ("DELETE FROM t WHERE id = 2", false),
        ("UPDATE t SET n = 5 WHERE tag = 'b'", false),
        ("UPDATE t SET n = 5 WHERE tag = 'c'", true),
        ("INSERT INTO t VALUES (3, 0, 'd')", false),
        ("INSERT INTO t VALUES (3, 0, 'c')", true),
        ("INSERT INTO t VALUES (3, 0, 'a')", true),
        ("INSERT INTO t VALUES (1, 0, 'd')", true),
        ("UPDATE t SET tag = 'a' WHERE id = 2", true),
        ("BEGIN", false),
        ("COMMIT", false),
    ] {
        let other = format!("pcall(sql, \"{statement}\")");
        let mut timeline = begin(shop(&[&format!("{holder} redis.call('PING')"), &other]));
        play(&mut timeline, "A1.A2");
        assert_eq!(owner(&timeline), waits.then_some(ClientId(0)), "{statement}");
        play(&mut timeline, "A3.B1");
        assert!(timeline.world().all_over(), "{statement}");
    }
}

#[test]
fn what_is_not_committed_is_read_by_its_own_client_only() {
    let program = "
        sql('START TRANSACTION')
        sql('UPDATE t SET n = n + 1 WHERE id = 1')
        sql('INSERT INTO t VALUES (3, 3, NULL)')
        sql('DELETE FROM t WHERE id = 2')
        seen = #sql('SELECT id FROM t') + sql('SELECT n FROM t WHERE id = 1')[1].n
        ok = pcall(sql, 'INSERT INTO t VALUES (1, 9, NULL)')
        sql('COMMIT')";
    let mut timeline = begin(shop(&[program]));
    play(&mut timeline, "A1.A2.A3.A4.A5.A6.A7");
    assert!(is(&timeline, "0 0") && truth(&timeline, "global('A', 'seen') == 3"));
    play(&mut timeline, "A8");
    assert!(is(&timeline, "1 3") && truth(&timeline, "global('A', 'ok') == false"));
}

/// By a crash, by its end, by ROLLBACK, and with the connection.
#[test]
fn an_open_transaction_ends_with_its_client() {
    let change = "sql('BEGIN') pcall(sql, 'UPDATE t SET n = 1 WHERE id = 1')";
    let commit = format!("{change} pcall(sql, 'COMMIT') redis.call('PING')");
    let stays = format!("{change} redis.call('PING')");
    let back = format!("{change} sql('ROLLBACK') redis.call('PING')");
    for (program, schedule, rows) in [
        (&stays, "A1.A2.crashA", "0 5"),
        (&stays, "A1.A2.A3", "0 5"),
        (&back, "A1.A2.A3", "0 5"),
        (&stays, "A1.loseA2", "0 5"),
        (&commit, "A1.A2.A3", "1 5"),
        // It is committed, and its client cannot know.
        (&commit, "A1.A2.loseA3", "1 5"),
        (&commit, "A1.loseA2.A3", "0 5"),
    ] {
        let waits = "sql('UPDATE t SET n = 5 WHERE id = 2')";
        let faults = Faults { crash: 1, lose: 1, ..Faults::default() };
        let mut timeline = begin(Scenario { faults, ..shop(&[program, waits]) });
        play(&mut timeline, schedule);
        play(&mut timeline, "B1");
        assert!(!timeline.world().sql().has_open(), "{schedule}");
        assert!(is(&timeline, rows), "{program}: {schedule}");
    }
}

#[test]
fn a_table_without_a_key_is_refused_in_a_transaction() {
    let program = "sql('BEGIN') ok, why = pcall(sql, 'INSERT INTO u VALUES (1)')";
    let sql = vec!["CREATE TABLE u (n INT)".to_owned()];
    let mut timeline = begin(Scenario { sql, ..cast(&[program]) });
    play(&mut timeline, "A1.A2");
    let why = "SQL: table u needs a PRIMARY KEY to be changed or locked in a transaction";
    assert!(truth(&timeline, &format!("global('A', 'why') == '{why}'")));
}

#[test]
fn a_deadlock_is_refused_and_its_victim_rolled_back() {
    let program = |first: u8, second: u8| {
        format!(
            "sql('BEGIN')
            sql('UPDATE t SET n = n + 1 WHERE id = {first}')
            ok, why = pcall(sql, 'UPDATE t SET n = n + 1 WHERE id = {second}')
            sql('COMMIT')"
        )
    };
    let mut timeline = begin(shop(&[&program(1, 2), &program(2, 1)]));
    play(&mut timeline, "A1.A2.B1.B2");
    for client in [ClientId(0), B] {
        assert_eq!(timeline.world().possible(Action::Step(client)), Ok(()));
    }
    play(&mut timeline, "B3");
    let why = "SQL: Deadlock found when trying to get lock; try restarting transaction";
    assert!(truth(&timeline, &format!("global('B', 'why') == '{why}'")));
    play(&mut timeline, "A3.A4.B4");
    assert!(is(&timeline, "1 1") && truth(&timeline, "global('A', 'ok')"));
}
