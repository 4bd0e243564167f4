//! The bounds of values, and the rules for those that Rust built itself.

use pageport::wire::walk::{Fault, MAX_UNITS};
use pageport::wire::{Bounds, Json, Refusal, limits, measure, number_text};

fn nested(levels: usize, inner: Json) -> Json {
    (0..levels).fold(inner, |value, _| Json::array([value]))
}

fn fault(value: &Json, bounds: Bounds) -> Option<(Fault, String)> {
    measure(value, bounds, number_text).err().map(|Refusal { fault, pointer }| (fault, pointer))
}

#[test]
fn sixty_four_levels_pass_and_one_more_does_not() {
    let cases = [
        ("no level", nested(0, Json::Null), None),
        ("64 levels", nested(64, Json::Null), None),
        ("65 levels", nested(65, Json::Null), Some((Fault::Depth, "/0".repeat(64)))),
        ("64 levels around an empty array", nested(64, Json::array([])), Some((Fault::Depth, "/0".repeat(64)))),
    ];
    for (case, value, expected) in cases {
        assert_eq!(fault(&value, Bounds::REQUEST), expected, "{case}");
    }
}

#[test]
fn a_value_is_refused_at_the_node_that_passes_the_bound() {
    let value = Json::object([("a", Json::array([Json::from("12"), Json::from("345")])), ("b", Json::Bool(true))]);
    assert_eq!(measure(&value, Bounds::REQUEST, number_text), Ok(r#"{"a":["12","345"],"b":true}"#.len() as u32));
    let cases = [
        (0, Some("")),
        (1, Some("")),
        (2, Some("/a")),
        (8, Some("/a")),
        (9, Some("/a/0")),
        (13, Some("/a/1")),
        (18, Some("/b")),
        (26, Some("/b")),
        (27, None),
        (usize::MAX, None),
    ];
    for (max_units, expected) in cases {
        let found = fault(&value, Bounds::units(max_units)).map(|(fault, pointer)| {
            assert_eq!(fault, Fault::Size, "{max_units}");
            pointer
        });
        assert_eq!(found.as_deref(), expected, "{max_units}");
    }
}

#[test]
fn a_shallower_bound_counts_too_and_a_deeper_one_does_not() {
    let cases = [(2, 2, true), (2, 3, false), (64, 64, true), (1000, 65, false)];
    for (max_depth, levels, passes) in cases {
        let bounds = Bounds { max_units: MAX_UNITS, max_depth };
        assert_eq!(
            fault(&nested(levels, Json::Null), bounds).is_none(),
            passes,
            "{levels} levels, {max_depth} allowed"
        );
    }
}

#[test]
fn a_value_built_in_rust_is_checked_like_any_other() {
    let cases = [
        ("NaN", Json::array([Json::Number(f64::NAN)]), Fault::Number, "/0"),
        ("infinity", Json::object([("a", Json::Number(f64::INFINITY))]), Fault::Number, "/a"),
        ("__proto__", Json::object([("__proto__", Json::Null)]), Fault::Proto, "/__proto__"),
    ];
    for (case, value, expected, pointer) in cases {
        assert_eq!(fault(&value, Bounds::REQUEST), Some((expected, pointer.to_owned())), "{case}");
    }
}

#[test]
fn text_is_measured_before_it_is_parsed() {
    let exact = format!("\"{}\"", "é".repeat(limits::REQUEST_UNITS - 2));
    assert!(Json::parse(&exact).is_ok(), "bytes do not count, units do");
    let pairs = format!("\"{}\"", "😀".repeat(limits::REQUEST_UNITS / 2));
    for text in [exact + " ", pairs, "x".repeat(limits::REQUEST_UNITS + 1)] {
        let refusal = Json::parse(&text).expect_err("too long");
        assert_eq!((refusal.fault, refusal.pointer.as_str()), (Fault::Size, ""));
    }
}

#[test]
fn strict_parsing_refuses_a_repeated_name() {
    let cases = [
        (r#"{"a":1,"b":{"c":1,"d":2,"c":3}}"#, Some((Fault::Repeat, "/b/c"))),
        (r#"{"a":1,"A":2,"":3}"#, None),
        (r#"{"a":1,"\u0061":2}"#, Some((Fault::Repeat, "/a"))),
        (r#"{"":1,"\ud800":2,"":3}"#, Some((Fault::Repeat, "/"))),
    ];
    for (text, expected) in cases {
        let found = Json::parse_strict(text, 1000).err();
        let found = found.as_ref().map(|refusal| (refusal.fault, refusal.pointer.as_str()));
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn a_broken_name_is_not_lost_among_equal_ones() {
    let refusal = Json::parse(r#"{"":1,"\ud800":2,"":3}"#).expect_err("has a lone surrogate");
    assert_eq!((refusal.fault, refusal.pointer.as_str()), (Fault::Name, ""));
}

#[test]
fn every_fault_has_a_word_in_brackets_and_a_phrase() {
    use Fault::{Depth, Getter, Name, Number, Proto, Repeat, Size, Syntax, Text, Type};
    for fault in [Depth, Size, Number, Text, Name, Proto, Type, Getter, Syntax, Repeat] {
        assert!(fault.keyword().starts_with('(') && fault.keyword().ends_with(')'), "{fault:?}");
        assert!(!fault.message().is_empty() && !fault.message().ends_with('.'), "{fault:?}");
    }
}
