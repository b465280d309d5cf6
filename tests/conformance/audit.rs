//! A command with its log of what it touched, held to what it did.

use interleave::engine::{Access, ConnId, Instance, Outcome, Use, footprint};
use interleave::resp::Bytes;

/// Runs a command with a log, and holds the log to what the command did.
pub fn audited(instance: &mut Instance, conn: ConnId, argv: &[Bytes], now_ms: u64) -> Outcome {
    let (before, mut plain) = (instance.clone(), instance.clone());
    let mut access = Access::default();
    let outcome = instance.execute_logged(conn, argv, now_ms, &mut access);
    assert_eq!(outcome, plain.execute(conn, argv, now_ms), "a log changes nothing: {argv:?}");
    assert!(*instance == plain, "a log changes nothing: {argv:?}");
    if access.keyspace != Some(Use::Write) {
        for change in before.diff(instance) {
            let logged = access.keys.iter().find(|k| (k.db, &k.key) == (change.db, &change.key));
            let how = logged.map(|key| key.how);
            assert_eq!(how, Some(Use::Write), "{argv:?} changed {change:?}: {access:?}");
        }
    }
    let somebody_waits = before.conn_ids().into_iter().any(|conn| before.is_blocked(conn));
    if is_declared(argv) && !somebody_waits {
        let declared = footprint(argv);
        for key in access.keys {
            let how = match () {
                () if declared.writes.contains(&key.key) => Some(Use::Write),
                () if declared.reads.contains(&key.key) => Some(Use::Read),
                () => None,
            };
            assert!(Some(key.how) <= how, "{argv:?} touched {key:?}: {declared:?}");
        }
    }
    outcome
}

/// Whether the static footprint speaks of all keys that the command may touch. It does not speak
/// of those that a script or a transaction computes, of what a whole-keyspace command meets on
/// its way, of keys that WATCH has named before, nor of the commands of clients that wait. SORT
/// reads keys by pattern; XREADGROUP, which Redis marks as reading, moves its group.
fn is_declared(argv: &[Bytes]) -> bool {
    let name = argv.first().map(|name| name.to_ascii_lowercase()).unwrap_or_default();
    const BEYOND: &str = "eval evalsha eval_ro evalsha_ro fcall fcall_ro exec watch scan \
                          randomkey sort sort_ro xread xreadgroup debug";
    !BEYOND.split(' ').any(|known| known.as_bytes() == &*name)
}
