use super::*;

fn decode_all(pieces: &[&[u8]]) -> Result<Vec<Vec<String>>, ProtocolError> {
    let mut decoder = Decoder::default();
    let mut requests = Vec::new();
    for piece in pieces {
        decoder.feed(piece);
        while let Some(args) = decoder.next_request()? {
            requests.push(args.iter().map(|a| String::from_utf8_lossy(a).into()).collect());
        }
    }
    Ok(requests)
}

#[test]
fn requests_arrive_in_any_pieces() {
    let whole = b"*2\r\n$3\r\nGET\r\n$1\r\nk\r\nPING \"a b\"\r\n*0\r\n\r\n*1\r\n$4\r\nPING\r\n";
    let want = vec![vec!["GET", "k"], vec!["PING", "a b"], vec!["PING"]];
    assert_eq!(decode_all(&[whole]).unwrap(), want);
    let bytes: Vec<&[u8]> = whole.chunks(1).collect();
    assert_eq!(decode_all(&bytes).unwrap(), want);
}

#[test]
fn protocol_errors_have_redis_texts() {
    let check = |bytes: &[u8], text: &str| {
        assert_eq!(decode_all(&[bytes]).unwrap_err().0, text, "{bytes:?}");
    };
    check(b"SET k \"open\r\n", "unbalanced quotes in request");
    check(b"*1\r\nx\r\n", "expected '$', got 'x'");
    check(b"*3000000000\r\n", "invalid multibulk length");
    check(b"*x\r\n", "invalid multibulk length");
    check(b"*1\r\n$-5\r\n", "invalid bulk length");
    check(b"*1\r\n$536870913\r\n", "invalid bulk length");
    check(&[b'a'; 70_000], "too big inline request");
    check(&[&b"*"[..], &[b'1'; 70_000]].concat(), "too big mbulk count string");
    check(&[&b"*1\r\n$"[..], &[b'1'; 70_000]].concat(), "too big bulk count string");
}

#[test]
fn a_reply_reads_back_as_it_was_written() {
    let value = Value::Array(vec![
        Value::ok(),
        Value::error("ERR x"),
        Value::Int(-7),
        Value::bulk("a\r\nb"),
        Value::Map(vec![(Value::bulk("k"), Value::Double(1.5))]),
        Value::Set(vec![Value::Bool(true), Value::Null]),
        Value::Verbatim { format: *b"txt", text: b"hi".as_slice().into() },
    ]);
    let bytes = value.to_bytes(Proto::Resp3);
    assert_eq!(decode_reply(&bytes), Ok(Some((value, bytes.len()))));
    for cut in 0..bytes.len() {
        assert_eq!(decode_reply(&bytes[..cut]), Ok(None));
    }
}

#[test]
fn resp2_flattens_what_it_cannot_say() {
    let map = Value::Map(vec![(Value::bulk("k"), Value::Double(0.1))]);
    assert_eq!(map.to_bytes(Proto::Resp2), b"*2\r\n$1\r\nk\r\n$19\r\n0.10000000000000001\r\n");
    assert_eq!(Value::NilArray.to_bytes(Proto::Resp2), b"*-1\r\n");
    assert_eq!(Value::NilArray.to_bytes(Proto::Resp3), b"_\r\n");
}

#[test]
fn cli_rendering() {
    let nested = Value::Array(vec![
        Value::Array(vec![Value::bulk("a"), Value::Int(1)]),
        Value::bulk("x\"\n\u{1}"),
        Value::Array(vec![]),
        Value::NilBulk,
    ]);
    let want = "1) 1) \"a\"\n   2) (integer) 1\n2) \"x\\\"\\n\\x01\"\n3) (empty array)\n4) (nil)";
    assert_eq!(nested.to_cli(), want);
    assert_eq!(nested.to_cli_short(), "[[\"a\", (integer) 1], \"x\\\"\\n\\x01\", [], (nil)]");
    let map = Value::Map(vec![(Value::bulk("a"), Value::Array(vec![Value::Int(1)]))]);
    assert_eq!(map.to_cli(), "1# \"a\" => \n   1) (integer) 1");
    assert_eq!(Value::ok().to_cli(), "OK");
}

#[test]
fn inline_splitting() {
    let split = |line: &str| {
        split_inline(line.as_bytes()).map(|args| {
            args.iter().map(|a| String::from_utf8_lossy(a).into()).collect::<Vec<String>>()
        })
    };
    assert_eq!(
        split(r#"set "a b" 'c\'d' "\x41\n""#),
        Ok(vec!["set".into(), "a b".into(), "c'd".into(), "A\n".into()])
    );
    assert_eq!(split(r#"a"b c""#), Ok(vec!["ab c".into()]));
    assert_eq!(split(r#""a"b"#), Err(UnbalancedQuotes));
    assert_eq!(split("'a"), Err(UnbalancedQuotes));
    assert_eq!(split(""), Ok(vec![]));
    assert_eq!(split(r#""""#), Ok(vec!["".into()]));
}

#[test]
fn doubles_print_as_c_prints_them() {
    for (d, text) in [
        (0.1, "0.10000000000000001"),
        (3.0, "3"),
        (1e20, "1e+20"),
        (1e16, "10000000000000000"),
        (12_345_678_901_234_567_890.0, "1.2345678901234567e+19"),
        (0.000_000_1, "9.9999999999999995e-08"),
        (-0.0, "-0"),
        (f64::NEG_INFINITY, "-inf"),
        (1e-5, "1.0000000000000001e-05"),
        (123_456.789, "123456.789"),
    ] {
        assert_eq!(number::double_g17(d), text);
    }
}

#[test]
fn numbers_are_read_strictly() {
    for text in ["", "+1", "01", "-0", " 1", "1 ", "9223372036854775808", "1.0", "--1"] {
        assert_eq!(number::parse_int(text.as_bytes()), None, "{text}");
    }
    assert_eq!(number::parse_int(b"-9223372036854775808"), Some(i64::MIN));
    assert_eq!(number::parse_int(b"9223372036854775807"), Some(i64::MAX));
    assert_eq!(number::parse_double(b"0x10"), Some(16.0));
    assert_eq!(number::parse_double(b"0x1.8p1"), Some(3.0));
    assert_eq!(number::parse_double(b"-Infinity"), Some(f64::NEG_INFINITY));
    for text in ["nan", "", " 1", "1 ", "1e999", "abc", "1_0", "0x"] {
        assert_eq!(number::parse_double(text.as_bytes()), None, "{text}");
    }
}
