//! Lists every wire type once, to print the TypeScript declarations the package ships.

use super::bridge::{
    AbortReason, AckBody, BridgeCode, BridgeError, BridgeEvent, BridgeLimits, Bye, ByeReason, Call, CallsBody, Cancel,
    ClaimBody, ClaimReply, CompleteBody, HeartbeatBody, HeartbeatReply, Invoke, LeaveBody, Login, MessageBody, OpenApp,
    OpenBody, OpenPlugin, OpenReply, OperationResult, PageMessage, RejectBody, RejectCode, ReloadAbortBody, ReloadBody,
    ReloadReply, ReplyBody, ResourceRef, ResumeBody, StateBody, StateReply, SurfaceCall, TerminalState,
};
use super::execution::{
    ApiCode, ArtifactStatus, CallSource, ExecutionCertainty, ExecutionCode, ExecutionState, ResultStatus,
    UnavailableReason,
};
use super::manifest::{
    Locale, Manifest, MatchRule, Operation, OperationCategory, OperationEffect, PageScript, Permission, ResourceAction,
    ResourceOptions,
};
use super::*;
use ts_rs::{Config, TS};

impl TS for Json {
    type WithoutGenerics = Self;
    type OptionInnerType = Self;

    fn name(_: &Config) -> String {
        "Json".into()
    }

    fn inline(_: &Config) -> String {
        "null | boolean | number | string | Json[] | { [key: string]: Json }".into()
    }

    fn decl(config: &Config) -> String {
        format!("type Json = {};", Self::inline(config))
    }

    fn docs() -> Option<String> {
        Some("/** A JSON value; numbers are finite doubles. */\n".into())
    }
}

macro_rules! code_type {
    ($type:ident, $doc:literal) => {
        impl TS for $type {
            type WithoutGenerics = Self;
            type OptionInnerType = Self;

            fn name(_: &Config) -> String {
                stringify!($type).into()
            }

            fn inline(_: &Config) -> String {
                $type::ALL.iter().map(|code| format!("\"{}\"", code.as_str())).collect::<Vec<_>>().join(" | ")
            }

            fn decl(config: &Config) -> String {
                format!("type {} = {};", stringify!($type), Self::inline(config))
            }

            fn docs() -> Option<String> {
                Some(concat!("/** ", $doc, " */\n").into())
            }
        }
    };
}
code_type!(ProtocolCode, "Why a request was not understood or not allowed (Surface §1).");
code_type!(
    BusinessCode,
    "Why the page did not do what was asked; an application may raise its own words too (Surface §4)."
);
code_type!(PageCode, "`PageportError.code`: what a page's own calls throw.");

macro_rules! list {
    ($($type:ident),+ $(,)?) => {
        /// The declarations of every wire type, in reading order, each with its documentation.
        #[must_use]
        pub fn declarations() -> Vec<String> {
            let config = Config::default();
            vec![$(format!("{}export {}", $type::docs().unwrap_or_default(), $type::decl(&config))),+]
        }
    };
}
list!(
    Json,
    SurfaceRequest,
    Method,
    SurfaceResponse,
    DescribeResponse,
    InvokeResponse,
    ErrorResponse,
    ProtocolError,
    ProtocolCode,
    ErrorDetails,
    Issue,
    InvokeResult,
    InvokeStatus,
    Certainty,
    BusinessError,
    BusinessCode,
    DescribeOptions,
    DescribeResult,
    PageIdentity,
    CapabilityInfo,
    Effect,
    Approval,
    Fidelity,
    Origin,
    RecordParam,
    FlowStep,
    CapabilityDelta,
    Context,
    ContextPage,
    Region,
    Record,
    RecordRef,
    RecordWindow,
    Feedback,
    Level,
    Unavailable,
    UnavailableRecord,
    Totals,
    SessionInfo,
    SessionLimits,
    Rate,
    AfterDelta,
    AfterCapabilities,
    Session,
    ConfirmRequest,
    ApprovalBinding,
    AuditEvent,
    Outcome,
    ClientFrame,
    PageFrame,
    ConnectMessage,
    PageCode,
    OpenBody,
    OpenPlugin,
    OpenApp,
    OpenReply,
    BridgeLimits,
    StateBody,
    StateReply,
    Login,
    ClaimBody,
    ClaimReply,
    ResourceRef,
    RejectBody,
    RejectCode,
    HeartbeatBody,
    HeartbeatReply,
    CompleteBody,
    TerminalState,
    AbortReason,
    OperationResult,
    ReloadBody,
    ReloadReply,
    ReloadAbortBody,
    ResumeBody,
    ReplyBody,
    MessageBody,
    CallsBody,
    Call,
    AckBody,
    LeaveBody,
    BridgeEvent,
    Invoke,
    Cancel,
    PageMessage,
    SurfaceCall,
    Bye,
    ByeReason,
    BridgeError,
    BridgeCode,
    ExecutionState,
    ExecutionCertainty,
    ExecutionCode,
    ApiCode,
    UnavailableReason,
    CallSource,
    ResultStatus,
    ArtifactStatus,
    Manifest,
    Permission,
    PageScript,
    MatchRule,
    Operation,
    OperationCategory,
    OperationEffect,
    Locale,
    ResourceOptions,
    ResourceAction,
);

/// The code tables as a TypeScript module, for the checks the shim makes at run time.
#[must_use]
pub fn codes_module() -> String {
    let list = |codes: Vec<&str>| format!("{codes:?}");
    format!(
        "export const PROTOCOL_CODES: readonly string[] = {};\n",
        list(ProtocolCode::ALL.iter().map(|code| code.as_str()).collect()),
    )
}
