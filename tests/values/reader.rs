//! The option reader: what fits is returned, what does not is named by its path.

use pageport::wire::{Fields, FirstMisfit, Json};

fn json(text: &str) -> Json {
    Json::parse(text).expect("is JSON")
}

#[test]
fn what_fits_is_returned() {
    let value =
        json(r#"{"id":"a","limit":20,"on":true,"effect":"write","tags":["x","y"],"rate":{"capacity":2},"no":null}"#);
    let first = FirstMisfit::new("declare");
    let mut fields = first.fields(&value).with_nulls();
    assert_eq!(fields.text("id", 1, 64), "a");
    assert_eq!(fields.optional_text("title", 1, 64), None);
    assert_eq!(fields.optional_whole("limit", 1, 100), Some(20));
    assert_eq!(fields.optional_flag("on"), Some(true));
    assert_eq!(fields.optional_word("effect", &["read", "write"]), Some(1));
    let tags = fields.optional_list("tags", 8).expect("is there");
    assert_eq!(tags.iter().map(|tag| tag.text(1, 8)).collect::<Vec<_>>(), ["x", "y"]);
    let mut rate = fields.optional_object("rate").expect("is there");
    assert_eq!(rate.optional_whole("capacity", 0, 20), Some(2));
    rate.finish();
    assert!(fields.optional("no").is_none());
    fields.finish();
    assert_eq!(first.check(), Ok(()));
    assert_eq!(first.unless_wrong(Some(1)), Ok(1));
}

#[test]
fn what_does_not_fit_is_named_by_its_path() {
    type Read = fn(&mut Fields<'_>);
    let cases: [(&str, Read, &str); 15] = [
        (
            r#"{}"#,
            |fields| {
                fields.text("id", 1, 64);
            },
            "declare: id is required",
        ),
        (
            r#"{"id":7}"#,
            |fields| {
                fields.text("id", 1, 64);
            },
            "declare: id must be a string of 1 to 64 characters",
        ),
        (
            r#"{"id":""}"#,
            |fields| {
                fields.text("id", 1, 64);
            },
            "declare: id must be a string of 1 to 64 characters",
        ),
        (
            r#"{"id":"éé"}"#,
            |fields| {
                fields.text("id", 1, 1);
            },
            "declare: id must be a string of 1 to 1 characters",
        ),
        (
            r#"{"id":null}"#,
            |fields| {
                fields.optional_text("id", 1, 9);
            },
            "declare: id must be a string of 1 to 9 characters",
        ),
        (
            r#"{"n":0}"#,
            |fields| {
                fields.optional_whole("n", 1, 9);
            },
            "declare: n must be a whole number from 1 to 9",
        ),
        (
            r#"{"n":1.5}"#,
            |fields| {
                fields.optional_whole("n", 1, 9);
            },
            "declare: n must be a whole number from 1 to 9",
        ),
        (
            r#"{"n":-1}"#,
            |fields| {
                fields.optional_whole("n", 0, 9);
            },
            "declare: n must be a whole number from 0 to 9",
        ),
        (
            r#"{"b":1}"#,
            |fields| {
                fields.optional_flag("b");
            },
            "declare: b must be true or false",
        ),
        (
            r#"{"w":"c"}"#,
            |fields| {
                fields.optional_word("w", &["a", "b"]);
            },
            "declare: w must be one of a, b",
        ),
        (
            r#"{"l":{}}"#,
            |fields| {
                fields.optional_list("l", 2);
            },
            "declare: l must be an array",
        ),
        (
            r#"{"l":[1,2,3]}"#,
            |fields| {
                fields.optional_list("l", 2);
            },
            "declare: l must have at most 2 items",
        ),
        (
            r#"{"o":[]}"#,
            |fields| {
                fields.optional_object("o");
            },
            "declare: o must be an object",
        ),
        (
            r#"{"a":1,"b":2}"#,
            |fields| {
                fields.optional("a");
                fields.finish();
            },
            "declare: b is unknown",
        ),
        (
            r#"{"steps":[{"id":"x"},{"id":"y","rate":{"capacity":"z"}}]}"#,
            |fields| {
                let steps = fields.optional_list("steps", 8).unwrap_or_default();
                let mut second = steps.into_iter().nth(1).expect("there are two").object();
                let mut rate = second.optional_object("rate").expect("is there");
                rate.optional_whole("capacity", 1, 100);
            },
            "declare: steps[1].rate.capacity must be a whole number from 1 to 100",
        ),
    ];
    for (text, read, expected) in cases {
        let value = json(text);
        let first = FirstMisfit::new("declare");
        read(&mut first.fields(&value));
        let misfit = first.check().expect_err(text);
        assert_eq!(misfit.to_string(), expected, "{text}");
    }
}

#[test]
fn the_first_misfit_counts_and_reading_goes_on() {
    let value = json(r#"{"a":1,"b":2}"#);
    let first = FirstMisfit::new("declare");
    let mut fields = first.fields(&value);
    assert_eq!((fields.text("a", 1, 9), fields.required("c").flag(), fields.text("b", 1, 9)), ("", false, ""));
    fields.finish();
    let misfit = first.unless_wrong(Some(0)).expect_err("a is a number");
    assert_eq!(misfit.path, "a");
}

#[test]
fn the_whole_can_be_wrong_too() {
    let first = FirstMisfit::new("declare");
    first.fields(&Json::Null).finish();
    let misfit = first.check().expect_err("is null");
    assert_eq!((misfit.path.as_str(), misfit.to_string().as_str()), ("", "declare: must be an object"));
    assert!(FirstMisfit::new("declare").unless_wrong(None::<u8>).is_err(), "there is no value");
}
