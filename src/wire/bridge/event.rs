//! What the host sends on the stream: the `data` of an SSE event, whose `id` is its number (Operations §4).

use super::{AbortReason, ByeReason, ExecutionId, Revision};
use crate::wire::{Fields, FirstMisfit, Json, Misfit};
use serde::Serialize;

macro_rules! events {
    ($($item:item)+) => {$(
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[cfg_attr(not(target_arch = "wasm32"), derive(serde::Deserialize))]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[serde(rename_all = "camelCase")]
        $item
    )+};
}

events! {
    /// Run an operation: reject or claim it. The input comes with the claim.
    pub struct Invoke {
        /// The execution.
        pub execution_id: ExecutionId,
        /// The operation.
        pub operation_id: String,
        /// The page's revision when it was dispatched.
        pub revision: Revision,
        /// 1 after the one reload.
        pub reload_count: u8,
        /// Milliseconds until the deadline, from receipt.
        pub remaining_ms: f64,
    }

    /// Abort an execution.
    pub struct Cancel {
        /// The execution.
        pub execution_id: ExecutionId,
        /// What its handler is told.
        pub reason: AbortReason,
    }

    /// Something from the plugin's hook.
    pub struct PageMessage {
        /// Any JSON value.
        pub message: Json,
    }

    /// A Surface request; answered by `/reply`.
    pub struct SurfaceCall {
        /// The envelope.
        #[cfg_attr(feature = "ts", ts(type = "SurfaceRequest"))]
        pub request: Json,
        /// The verified session it is for.
        #[cfg_attr(feature = "ts", ts(type = "Session"))]
        pub session: Json,
        /// Pairs the answer.
        pub reply_to: u32,
    }

    /// The stream ends; no number, never kept.
    pub struct Bye {
        /// Why.
        pub reason: ByeReason,
    }
}

/// One event of a stream.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(serde::Deserialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum BridgeEvent {
    /// Run an operation.
    Invoke(Invoke),
    /// Abort an execution.
    Cancel(Cancel),
    /// Something from the plugin's hook.
    Message(PageMessage),
    /// A Surface request.
    Surface(SurfaceCall),
    /// The stream ends.
    Bye(Bye),
}

impl BridgeEvent {
    /// Reads the `data` of an event; `None` for a type from a newer host.
    ///
    /// # Errors
    /// What does not fit.
    pub fn read(value: &Json) -> Result<Option<Self>, Box<Misfit>> {
        let first = FirstMisfit::new("event");
        let mut fields = first.fields(value);
        let event = match fields.text("type", 1, 64) {
            "invoke" => Self::read_invoke(&mut fields),
            "cancel" => id(&mut fields).map(|execution_id| {
                let reason = AbortReason::ALL[fields.required("reason").word(AbortReason::WORDS)];
                Self::Cancel(Cancel { execution_id, reason })
            }),
            "message" => Some(Self::Message(PageMessage { message: fields.required("message").json().clone() })),
            "surface" => Some(Self::Surface(SurfaceCall {
                request: fields.required("request").json().clone(),
                session: fields.required("session").json().clone(),
                reply_to: super::read::count(&mut fields, "replyTo"),
            })),
            "bye" => Some(Self::Bye(Bye { reason: ByeReason::ALL[fields.required("reason").word(ByeReason::WORDS)] })),
            _ => return first.check().map(|()| None),
        };
        first.unless_wrong(event).map(Some)
    }

    fn read_invoke(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self::Invoke(Invoke {
            execution_id: id(fields)?,
            operation_id: fields.text("operationId", 1, 64).to_owned(),
            revision: super::read::revision(fields)?,
            reload_count: u8::from(fields.required("reloadCount").whole(0, 1) == 1),
            remaining_ms: super::read::number(fields, "remainingMs"),
        }))
    }
}

fn id(fields: &mut Fields<'_>) -> Option<ExecutionId> {
    super::read::id(fields, "executionId", ExecutionId::parse)
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn the_page_reads_every_event_as_the_host_writes_it() {
        let id = "00112233445566778899aabbccddeeff";
        let cases = [
            format!(
                r#"{{"type":"invoke","executionId":"{id}","operationId":"search","revision":"{id}","reloadCount":1,"remainingMs":1500.5}}"#
            ),
            format!(r#"{{"type":"cancel","executionId":"{id}","reason":"page_changed"}}"#),
            r#"{"type":"message","message":{"a":[1]}}"#.to_owned(),
            r#"{"type":"surface","request":{},"session":{},"replyTo":7}"#.to_owned(),
            r#"{"type":"bye","reason":"stopping"}"#.to_owned(),
        ];
        for text in cases {
            let json = Json::parse(&text).expect("JSON");
            let read = BridgeEvent::read(&json).expect("fits").expect("known");
            let written: BridgeEvent = serde_json::from_str(&text).expect("fits");
            assert_eq!(read, written, "{text}");
            assert_eq!(crate::wire::to_text(&read, crate::wire::number_text), text);
        }
        let newer = Json::parse(r#"{"type":"dance"}"#).expect("JSON");
        assert_eq!(BridgeEvent::read(&newer), Ok(None));
        for broken in
            [r#"{"type":"bye","reason":"boredom"}"#, r#"{"type":"cancel","executionId":"1","reason":"cancelled"}"#]
        {
            let json = Json::parse(broken).expect("JSON");
            assert!(BridgeEvent::read(&json).is_err(), "{broken}");
        }
    }
}
