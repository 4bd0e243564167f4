//! Patterns: what they match, and which are refused; the browser tests read the same vectors.

use super::{compile, issues};
use pageport::wire::Json;

#[test]
fn patterns_have_the_outcome_of_their_row() {
    let file = super::json(include_str!("../vectors/patterns.json"));
    let rows = file.as_array().expect("the vectors are rows");
    assert!(rows.len() > 20);
    for row in rows {
        let pattern = row.get("pattern").expect("a row has a pattern").clone();
        let schema = Json::object([("pattern", pattern.clone())]);
        let schema = compile(&pageport::wire::canonical(&schema, pageport::wire::number_text));
        let Some(expected) = row.get("matches") else {
            let message = row.get("message").and_then(Json::as_str).expect("a row has an outcome");
            assert_eq!(schema.expect_err(message).message, message, "{pattern:?}");
            continue;
        };
        let schema = schema.expect("compiles");
        for (text, fits) in expected.as_object().expect("texts") {
            let found = issues(&schema, &Json::from(text.as_str())).is_empty();
            assert_eq!(Some(found), fits.as_bool(), "{pattern:?} {text:?}");
        }
    }
}
