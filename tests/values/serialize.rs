//! What `serde` makes of a value.

use pageport::wire::Json;

#[test]
fn integers_serialise_as_integers_and_the_rest_as_doubles() {
    let cases = [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-7.0, "-7"),
        (9_007_199_254_740_991.0, "9007199254740991"),
        (-9_007_199_254_740_991.0, "-9007199254740991"),
        (0.5, "0.5"),
    ];
    for (number, expected) in cases {
        assert_eq!(serde_json::to_string(&Json::Number(number)).expect("serialises"), expected);
    }
}

#[test]
fn members_keep_their_order() {
    let text = r#"{"b":[null,true,"x\n"],"a":{}}"#;
    let value = Json::parse(text).expect("is JSON");
    assert_eq!(serde_json::to_string(&value).expect("serialises"), text);
}
