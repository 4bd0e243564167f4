//! What a page writes is what the host reads, and nothing else is taken.

use pageport::wire::bridge::{
    AckBody, BridgeCode, BridgeError, BridgeReply, Call, CallsBody, ClaimBody, ClaimReply, Claimed, CompleteBody,
    HeartbeatBody, LeaveBody, MessageBody, OpenBody, OpenReply, Opened, RejectBody, ReloadAbortBody, ReloadBody,
    ReplyBody, ResumeBody, StateBody, StateReply, read_revision,
};
use pageport::wire::{Json, number_text, to_text};
use serde::Serialize;
use serde::de::DeserializeOwned;

const ID: &str = "00112233445566778899aabbccddeeff";

/// Reads a body, with `ID` for `$`, and writes the same text again.
fn check<B: Serialize + DeserializeOwned>(text: &str) {
    let text = text.replace('$', ID);
    let body: B = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(to_text(&body, number_text), text);
    let more = text.replacen('{', r#"{"more":1,"#, 1);
    assert!(serde_json::from_str::<B>(&more).is_err(), "an unknown member: {more}");
}

#[test]
fn every_body_is_read_as_it_was_written_and_closed() {
    check::<OpenBody>(
        r#"{"pluginId":"p","scriptId":"s","pluginVersion":"1","generation":3,"title":"t","pageUrl":"u","operations":["a"]}"#,
    );
    check::<OpenBody>(r#"{"app":"orders","title":"t","pageUrl":"u"}"#);
    check::<StateBody>(r#"{"seq":1,"title":"t","pageUrl":"u","ready":true,"login":"required","context":"c","ack":7}"#);
    check::<ClaimBody>(r#"{"executionId":"$","revision":"$","attemptId":"$"}"#);
    check::<RejectBody>(r#"{"executionId":"$","revision":"$","code":"page_busy_unknown","ack":1}"#);
    check::<HeartbeatBody>(r#"{"executionId":"$","revision":"$","progress":12.5}"#);
    check::<CompleteBody>(
        r#"{"executionId":"$","revision":"$","state":"succeeded","stopped":true,"result":{"data":[{"a":1}],"count":1,"hasMore":true,"nextCursor":"n","truncated":false}}"#,
    );
    check::<CompleteBody>(r#"{"executionId":"$","revision":"$","state":"failed","code":"my_own","stopped":true}"#);
    check::<CompleteBody>(
        r#"{"executionId":"$","revision":"$","state":"cancelled","reason":"page_hidden","started":false,"stopped":true}"#,
    );
    check::<ReloadBody>(r#"{"executionId":"$","revision":"$"}"#);
    check::<ReloadAbortBody>(r#"{"executionId":"$","revision":"$","ticket":"t"}"#);
    check::<ResumeBody>(r#"{"executionId":"$","ticket":"t","revision":"$"}"#);
    check::<MessageBody>(r#"{"message":[null,{"b":1,"a":-0.5}]}"#);
    check::<ReplyBody>(r#"{"replyTo":4,"response":{"ok":true}}"#);
    check::<AckBody>(r#"{"ack":4}"#);
    check::<LeaveBody>(
        r#"{"token":"t","reports":[{"executionId":"$","revision":"$","state":"cancelled","reason":"timed_out","stopped":false}],"close":false}"#,
    );
    check::<CallsBody>(
        r#"{"calls":[{"call":"claim","executionId":"$","revision":"$","attemptId":"$"},{"call":"complete","executionId":"$","revision":"$","state":"failed","code":"invalid_output","stopped":true}],"ack":2}"#,
    );
}

#[test]
fn what_is_not_a_body_is_refused() {
    let calls = [
        r#"{"call":"message","message":1}"#,
        r#"{"call":"claim","executionId":"$","revision":"$"}"#,
        r#"{"call":"claim","executionId":"$","revision":"$","attemptId":"$","more":1}"#,
        r#"{"call":"reject","executionId":"$","revision":"$","code":"bored"}"#,
        r#"{"call":"heartbeat","executionId":"no","revision":"$"}"#,
        r#"{"executionId":"$","revision":"$"}"#,
        "[]",
    ];
    for text in calls {
        assert!(serde_json::from_str::<Call>(&text.replace('$', ID)).is_err(), "{text}");
    }
    for text in [r#"{"message":{"a":1,"a":2}}"#, r#"{"message":{"__proto__":1}}"#, r#"{"ack":1,"ack":2}"#] {
        assert!(serde_json::from_str::<MessageBody>(text).is_err(), "{text}");
    }
}

#[test]
fn a_page_reads_what_the_host_answers() {
    let text = r#"{"pageSessionId":"$","token":"t","eventsUrl":"http://s1.localhost/e","heartbeatMs":15000,"limits":{"bodyBytes":65536,"replyBytes":327680,"callsBytes":524288,"calls":64,"resultBytes":61440,"leaveBytes":61440,"claimMs":30000}}"#;
    let text = text.replace('$', ID);
    let reply: OpenReply = serde_json::from_str(&text).expect("fits");
    assert_eq!(reply.limits, pageport::wire::bridge::BridgeLimits::DEFAULT);
    assert_eq!(to_text(&reply, number_text), text);
    let opened = Opened::read(&Json::parse(&text).expect("JSON")).expect("fits");
    assert_eq!((opened.page_session_id, opened.events_url), (reply.page_session_id, reply.events_url));

    let text = r#"{"input":{"q":1},"cursor":"c","limit":5,"resource":{"id":"r","actionId":"a"},"reloadCount":1,"allowReload":true,"remainingMs":1.5}"#;
    let reply: ClaimReply = serde_json::from_str(text).expect("fits");
    assert_eq!(to_text(&reply, number_text), text);
    let claimed = Claimed::read(&Json::parse(text).expect("JSON")).expect("fits");
    assert_eq!((claimed.limit, claimed.reload_count, claimed.resource), (5, 1, reply.resource));
    assert!(Claimed::read(&Json::parse("{}").expect("JSON")).is_err());

    let text = r#"{"revision":"$"}"#.replace('$', ID);
    let reply: StateReply = serde_json::from_str(&text).expect("fits");
    assert_eq!(read_revision(&Json::parse(&text).expect("JSON")).ok(), Some(reply.revision));
}

#[test]
fn a_reply_is_an_envelope() {
    let refused: BridgeReply<()> = BridgeReply::Refused(BridgeError::new(BridgeCode::SessionGone));
    let text = r#"{"ok":false,"error":{"code":"session_gone","message":"the page session is gone"}}"#;
    assert_eq!(to_text(&refused, number_text), text);
    assert_eq!(to_text(&BridgeReply::Done(()), number_text), r#"{"ok":true,"data":null}"#);
}
