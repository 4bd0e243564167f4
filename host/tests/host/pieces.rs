//! The smaller pure parts by table: cursors, the choice of a page, the checks of a result.

use crate::engine::{PAGE, REVISION, START};
use pageport::schema::{Interner, Profile, Schema};
use pageport::wire::Json;
use pageport::wire::bridge::{OperationResult, PageSessionId, Revision};
use pageport_host::execution::limits::{CURSOR_MS, CURSORS};
use pageport_host::execution::{Binding, Candidate, Choice, Cursors, Misfit, UnavailableReason, check, choose, hint};

fn binding() -> Binding {
    Binding { plugin: "catalog".into(), operation: "search".into(), input: "{}".into(), page: PAGE, revision: REVISION }
}

#[test]
fn a_cursor_lives_fifteen_minutes_and_for_one_purpose() {
    let mut cursors = Cursors::default();
    cursors.issue("name".into(), binding(), "page=2".into(), START);
    let last = START.after(CURSOR_MS - 1);
    assert_eq!(cursors.resolve("name", &binding(), last), Some("page=2"));
    assert_eq!(cursors.page("name", last), Some(PAGE));
    assert_eq!(cursors.resolve("name", &binding(), START.after(CURSOR_MS)), None, "its time is over");
    assert_eq!(cursors.resolve("other", &binding(), START), None);
    let others = [
        ("plugin", Binding { plugin: "x".into(), ..binding() }),
        ("operation", Binding { operation: "x".into(), ..binding() }),
        ("input", Binding { input: "[]".into(), ..binding() }),
        ("page", Binding { page: PageSessionId::from_bytes([9; 16]), ..binding() }),
        ("revision", Binding { revision: Revision::from_bytes([9; 16]), ..binding() }),
    ];
    for (case, other) in others {
        assert_eq!(cursors.resolve("name", &other, START), None, "another {case}");
    }
}

#[test]
fn the_oldest_cursor_makes_room() {
    let mut cursors = Cursors::default();
    for number in 0..=CURSORS {
        cursors.issue(number.to_string(), binding(), "c".into(), START);
    }
    assert_eq!(cursors.len(), CURSORS);
    assert_eq!(cursors.resolve("0", &binding(), START), None);
    assert_eq!(cursors.resolve("1", &binding(), START), Some("c"));
    cursors.issue("late".into(), binding(), "c".into(), START.after(CURSOR_MS));
    assert_eq!(cursors.len(), 1, "those whose time is over go first");
}

#[test]
fn the_page_that_came_furthest_gives_the_reason() {
    use UnavailableReason as Reason;
    let page = PageSessionId::from_bytes;
    let fits = |byte| Candidate {
        page: page([byte; 16]),
        declares: true,
        matches: true,
        connected: true,
        ready: true,
        logged_in: true,
    };
    let elsewhere = Candidate { declares: false, ..fits(1) };
    let unmatched = Candidate { matches: false, connected: false, ..fits(2) };
    let gone = Candidate { connected: false, ready: false, ..fits(3) };
    let unready = Candidate { ready: false, logged_in: false, ..fits(4) };
    let stranger = Candidate { logged_in: false, ..fits(5) };
    let cases: [(&str, &[Candidate], Choice); 8] = [
        ("none", &[], Choice::None(Reason::NoPage)),
        ("another script", &[elsewhere], Choice::None(Reason::NotDeclared)),
        ("another URL", &[elsewhere, unmatched], Choice::None(Reason::NoMatch)),
        ("gone", &[gone, elsewhere], Choice::None(Reason::Disconnected)),
        ("not ready", &[unready, gone], Choice::None(Reason::NotReady)),
        ("signed out", &[unready, stranger, gone], Choice::None(Reason::LoginRequired)),
        ("one", &[stranger, fits(6)], Choice::Page(page([6; 16]))),
        ("two", &[fits(6), fits(7)], Choice::Ambiguous(vec![page([6; 16]), page([7; 16])])),
    ];
    for (case, pages, expected) in cases {
        assert_eq!(choose(pages, None), expected, "{case}");
    }
    let both = [fits(6), fits(7), gone];
    assert_eq!(choose(&both, Some(page([7; 16]))), Choice::Page(page([7; 16])), "named");
    assert_eq!(choose(&both, Some(page([3; 16]))), Choice::None(Reason::Disconnected), "named, but gone");
    assert_eq!(choose(&both, Some(page([9; 16]))), Choice::None(Reason::NoPage), "named, but unknown");
    assert!(UnavailableReason::ALL.iter().all(|reason| !hint(*reason).is_empty()));
}

#[test]
fn a_result_is_bounded_in_every_way() {
    let parse = |text: &str| Json::parse_within(text, 1 << 20).unwrap();
    let schema = parse(
        r#"{"type":"object","additionalProperties":false,"properties":{
            "items":{"type":"array","items":{"type":"integer"}},"more":{"type":"array","items":{"type":"integer"}}}}"#,
    );
    let schema = Schema::compile(&schema, Profile::OperationOutput, &mut Interner::new()).unwrap();
    let list = |name: &str, count: usize| parse(&format!(r#"{{"{name}":[{}]}}"#, vec!["1"; count].join(",")));
    let with =
        |data| OperationResult { data, count: 0.0, has_more: false, next_cursor: String::new(), truncated: false };
    let bytes = 1000;
    let cases = [
        ("as many items as asked for", with(list("items", 5)), bytes, None),
        ("one more", with(list("items", 6)), bytes, Some(Misfit::Output)),
        ("100 of anything else", with(list("more", 100)), bytes, None),
        ("101", with(list("more", 101)), bytes, Some(Misfit::Output)),
        ("60 KiB", with(list("more", 1)), 60 * 1024, None),
        ("a byte more", with(list("more", 1)), 60 * 1024 + 1, Some(Misfit::Size)),
        ("a wrong type", with(parse("[]")), bytes, Some(Misfit::Output)),
        ("count at the limit", OperationResult { count: 5.0, ..with(parse("{}")) }, bytes, None),
        ("count above it", OperationResult { count: 6.0, ..with(parse("{}")) }, bytes, Some(Misfit::Pagination)),
    ];
    for (case, result, bytes, misfit) in cases {
        assert_eq!(check(result, bytes, 5, &schema).err(), misfit, "{case}");
    }
    let done = OperationResult { next_cursor: "left over".into(), ..with(parse("{}")) };
    assert_eq!(check(done, bytes, 5, &schema).unwrap().next_cursor, "", "no more, no cursor");
}
