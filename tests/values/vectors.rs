//! The vectors that the browser test reads too: the same text has the same outcome on both sides.

use pageport::wire::{Bounds, Json, canonical, measure, number_text};

const ANY_SIZE: usize = 1 << 20;

fn table(name: &str) -> Vec<Json> {
    let file = Json::parse_within(include_str!("../vectors/values.json"), ANY_SIZE).expect("the vectors are JSON");
    let rows = file.get(name).and_then(Json::as_array).expect("the table is there").to_vec();
    assert!(rows.len() > 10, "{name}: too few rows");
    rows
}

fn text<'a>(row: &'a Json, name: &str) -> &'a str {
    row.get(name).and_then(Json::as_str).expect(name)
}

#[test]
fn a_text_has_the_outcome_of_its_row() {
    for row in table("values") {
        let name = text(&row, "name");
        match Json::parse_within(text(&row, "text"), ANY_SIZE) {
            Ok(value) => {
                let units = measure(&value, Bounds::REQUEST, number_text).map(f64::from);
                assert_eq!(units.ok(), row.get("units").and_then(Json::as_f64), "{name}: units");
                assert_eq!(canonical(&value, number_text), text(&row, "canonical"), "{name}: canonical");
                assert_eq!(Json::parse_within(text(&row, "compact"), ANY_SIZE), Ok(value), "{name}: order");
            }
            Err(refusal) => {
                assert_eq!(Some(refusal.fault.keyword()), row.get("keyword").and_then(Json::as_str), "{name}");
                assert_eq!(refusal.pointer, text(&row, "pointer"), "{name}");
            }
        }
    }
}

#[test]
fn a_refused_envelope_keeps_its_id_where_it_can_be_told() {
    for row in table("envelopes") {
        let name = text(&row, "name");
        let (refusal, id) = Json::parse_envelope(text(&row, "text")).expect_err(name);
        assert_eq!(refusal.fault.keyword(), text(&row, "keyword"), "{name}");
        assert_eq!(id.as_deref(), row.get("id").and_then(Json::as_str), "{name}");
    }
}
