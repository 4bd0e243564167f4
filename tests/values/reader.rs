//! The option reader: what fits is returned, what does not is named by its path.

use pageport::wire::{Fields, Json, Misfit, Reader};

fn fields<'a>(value: &'a Json) -> Fields<'a> {
    Reader::new(value, "declare").object().expect("is an object")
}

fn json(text: &str) -> Json {
    Json::parse(text).expect("is JSON")
}

#[test]
fn what_fits_is_returned() {
    let value =
        json(r#"{"id":"a","limit":20,"on":true,"effect":"write","tags":["x","y"],"rate":{"capacity":2},"no":null}"#);
    let mut fields = fields(&value).with_nulls();
    assert_eq!(fields.text("id", 1, 64), Ok("a"));
    assert_eq!(fields.optional_text("title", 1, 64), Ok(None));
    assert_eq!(fields.optional_whole("limit", 1, 100), Ok(Some(20)));
    assert_eq!(fields.optional_flag("on"), Ok(Some(true)));
    assert_eq!(fields.optional_word("effect", &["read", "write"]), Ok(Some(1)));
    let tags = fields.optional_list("tags", 8).expect("fits").expect("is there");
    let tags: Result<Vec<&str>, Misfit> = tags.iter().map(|tag| tag.text(1, 8)).collect();
    assert_eq!(tags, Ok(vec!["x", "y"]));
    let mut rate = fields.optional_object("rate").expect("fits").expect("is there");
    assert_eq!(rate.optional_whole("capacity", 0, 20), Ok(Some(2)));
    assert_eq!(rate.finish(), Ok(()));
    assert!(fields.optional("no").is_none());
    assert_eq!(fields.finish(), Ok(()));
}

#[test]
fn what_does_not_fit_is_named_by_its_path() {
    type Read = fn(Fields<'_>) -> Result<(), Misfit>;
    let cases: [(&str, Read, &str); 15] = [
        (r#"{}"#, |mut fields| fields.text("id", 1, 64).map(drop), "declare: id is required"),
        (
            r#"{"id":7}"#,
            |mut fields| fields.text("id", 1, 64).map(drop),
            "declare: id must be a string of 1 to 64 characters",
        ),
        (
            r#"{"id":""}"#,
            |mut fields| fields.text("id", 1, 64).map(drop),
            "declare: id must be a string of 1 to 64 characters",
        ),
        (
            r#"{"id":"éé"}"#,
            |mut fields| fields.text("id", 1, 1).map(drop),
            "declare: id must be a string of 1 to 1 characters",
        ),
        (
            r#"{"id":null}"#,
            |mut fields| fields.optional_text("id", 1, 9).map(drop),
            "declare: id must be a string of 1 to 9 characters",
        ),
        (
            r#"{"n":0}"#,
            |mut fields| fields.optional_whole("n", 1, 9).map(drop),
            "declare: n must be a whole number from 1 to 9",
        ),
        (
            r#"{"n":1.5}"#,
            |mut fields| fields.optional_whole("n", 1, 9).map(drop),
            "declare: n must be a whole number from 1 to 9",
        ),
        (
            r#"{"n":-1}"#,
            |mut fields| fields.optional_whole("n", 0, 9).map(drop),
            "declare: n must be a whole number from 0 to 9",
        ),
        (r#"{"b":1}"#, |mut fields| fields.optional_flag("b").map(drop), "declare: b must be true or false"),
        (
            r#"{"w":"c"}"#,
            |mut fields| fields.optional_word("w", &["a", "b"]).map(drop),
            "declare: w must be one of a, b",
        ),
        (r#"{"l":{}}"#, |mut fields| fields.optional_list("l", 2).map(drop), "declare: l must be an array"),
        (
            r#"{"l":[1,2,3]}"#,
            |mut fields| fields.optional_list("l", 2).map(drop),
            "declare: l must have at most 2 items",
        ),
        (r#"{"o":[]}"#, |mut fields| fields.optional_object("o").map(drop), "declare: o must be an object"),
        (
            r#"{"a":1,"b":2}"#,
            |mut fields| {
                fields.optional("a");
                fields.finish()
            },
            "declare: b is unknown",
        ),
        (
            r#"{"steps":[{"id":"x"},{"id":"y","rate":{"capacity":"z"}}]}"#,
            |mut fields| {
                let steps = fields.optional_list("steps", 8)?.unwrap_or_default();
                let mut second = steps.into_iter().nth(1).expect("there are two").object()?;
                let mut rate = second.optional_object("rate")?.expect("is there");
                rate.optional_whole("capacity", 1, 100).map(drop)
            },
            "declare: steps[1].rate.capacity must be a whole number from 1 to 100",
        ),
    ];
    for (text, read, expected) in cases {
        let value = json(text);
        let misfit = read(fields(&value)).expect_err(text);
        assert_eq!(misfit.to_string(), expected, "{text}");
    }
}

#[test]
fn the_whole_can_be_wrong_too() {
    let misfit = Reader::new(&Json::Null, "declare").object().expect_err("is null");
    assert_eq!((misfit.path.as_str(), misfit.to_string().as_str()), ("", "declare: must be an object"));
}
