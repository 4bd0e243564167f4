//! Reads what a page declares and refuses what breaks a rule, with the path (Surface §3).

use super::digest::text_digest;
use super::{Scope, id};
use crate::schema::{Interner, Key, Profile, Schema, SchemaError};
use crate::wire::{
    Approval, Bounds, CapabilityInfo, Effect, Feedback, Fidelity, Fields, FirstMisfit, FlowStep, Json, Level, Misfit,
    NumberText, Origin, PageCode, Reader, RecordParam, RecordRef, Region, limits, measure, to_text,
};
use std::rc::Rc;

/// Why a call of the page's developer was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The stable code.
    pub code: PageCode,
    /// What is wrong, with its path.
    pub message: String,
}

impl Rejection {
    /// A rejection with its own words.
    #[must_use]
    pub fn new(code: PageCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

impl From<Box<Misfit>> for Rejection {
    fn from(misfit: Box<Misfit>) -> Self {
        Self::new(PageCode::InvalidOption, misfit.message())
    }
}

/// A capability as declared: what agents see of it, and what runs.
#[derive(Debug)]
pub struct Capability {
    /// What a session sees.
    pub info: Rc<CapabilityInfo>,
    /// Of the arguments.
    pub input: Schema,
    /// Of the output.
    pub output: Option<Schema>,
    /// The member of the input that names the record.
    pub record_key: Option<Key>,
    /// Milliseconds its executor may take.
    pub timeout_ms: f64,
    /// The page's functions it brings along.
    pub hooks: Hooks,
    /// UTF-16 units of `info` as JSON.
    pub units: usize,
    /// Tells this content from another.
    pub digest: u64,
    /// Keywords of its schemas that mean nothing here; worth a warning.
    pub unknown_keywords: Vec<String>,
}

/// The page's functions that a declaration brings along, beside the executor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hooks {
    /// `expect`
    pub expects: bool,
    /// A validator of its own, after the schema.
    pub refines: bool,
}

impl Capability {
    /// Reads a declaration. `policy` gives the approval of an effect where the declaration says nothing.
    ///
    /// # Errors
    /// What breaks a rule, and where.
    pub fn read(
        value: &Json,
        hooks: Hooks,
        policy: &dyn Fn(Effect) -> Approval,
        keys: &mut Interner,
        number_text: NumberText,
    ) -> Result<Self, Rejection> {
        let first = FirstMisfit::new("declare");
        let mut fields = first.fields(value);
        let name = fields.text("id", 1, limits::CAPABILITY_CHARS);
        if !id::is_capability_id(name) {
            fields.refuse("id", "must be dotted words, then perhaps @recordType");
        }
        let description = fields.text("description", 1, limits::DESCRIPTION_CHARS);
        let effect = match fields.required("effect").word(&["read", "write", "destructive"]) {
            0 => Effect::Read,
            1 => Effect::Write,
            _ => Effect::Destructive,
        };
        let approval = match fields.optional_word("approval", &["none", "ask", "always"]) {
            Some(0) => Approval::None,
            Some(1) => Approval::Ask,
            Some(_) => Approval::Always,
            None => policy(effect),
        };
        let fidelity = match fields.optional_word("fidelity", &["high", "auto", "low"]) {
            None | Some(0) => Fidelity::High,
            Some(1) => Fidelity::Auto,
            Some(_) => Fidelity::Low,
        };
        let record = read_record(&mut fields, name);
        let mut input_schema = match fields.optional("inputSchema") {
            Some(schema) => schema.json().clone(),
            None => Json::Object(vec![
                ("type".into(), Json::from("object")),
                ("additionalProperties".into(), Json::Bool(false)),
            ]),
        };
        if let Some(record) = &record
            && let Err(phrase) = require_record(&mut input_schema, &record.param)
        {
            fields.refuse("inputSchema", phrase);
        }
        let output_schema = fields.optional("outputSchema").map(|schema| schema.json().clone());
        let timeout_ms =
            fields.optional_whole("timeoutMs", whole(limits::EXECUTE_MS_MIN), whole(limits::EXECUTE_MS_MAX));
        let info = CapabilityInfo {
            id: name.into(),
            description: description.into(),
            input_schema,
            effect,
            approval,
            fidelity,
            origin: Origin::Declared,
            output_schema,
            record,
            scope_path: fields.optional_list("scopePath", 8).map(|path| texts(&path, 64)),
            handoff: fields.optional_text("handoff", 1, 256).map(Into::into),
            flow_steps: fields.optional_list("flowSteps", 32).map(|steps| steps.into_iter().map(read_step).collect()),
            offscreen: fields.optional_flag("offscreen"),
        };
        first.check()?;
        let mut compile = |name: &str, schema: &Json, profile| {
            if measure(schema, Bounds::units(limits::SCHEMA_UNITS), number_text).is_err() {
                fields.refuse(name, "must be at most 16 KiB of JSON");
                return None;
            }
            let compiled = Schema::compile(schema, profile, keys);
            let refuse = |error: SchemaError| {
                fields.refuse(name, ["at \"", &error.pointer, "\": ", &error.message].concat());
            };
            compiled.map_err(refuse).ok()
        };
        let input = compile("inputSchema", &info.input_schema, Profile::Capability);
        let output = info.output_schema.as_ref();
        let output = output.map(|schema| compile("outputSchema", schema, Profile::CapabilityOutput));
        fields.finish();
        let input = first.unless_wrong(input)?;
        let output = output.flatten();
        let mut unknown_keywords = input.unknown_keywords().to_vec();
        if let Some(output) = &output {
            unknown_keywords.extend_from_slice(output.unknown_keywords());
        }
        let record_key = info.record.as_ref().map(|record| keys.key(&record.param));
        let text = to_text(&info, number_text);
        Ok(Self {
            info: Rc::new(info),
            input,
            output,
            record_key,
            timeout_ms: timeout_ms.map_or(limits::EXECUTE_MS, |value| value as f64),
            hooks,
            units: text.encode_utf16().count(),
            digest: text_digest(0, &text),
            unknown_keywords,
        })
    }
}

fn whole(value: f64) -> usize {
    value as usize
}

/// Texts of at most `max` characters, none of them empty.
fn texts(list: &[Reader<'_>], max: usize) -> Vec<String> {
    list.iter().map(|entry| entry.text(1, max).into()).collect()
}

fn read_record(fields: &mut Fields<'_>, name: &str) -> Option<RecordParam> {
    let kind = name.split_once('@').map(|(_, kind)| kind);
    let Some(mut record) = fields.optional_object("record") else {
        if kind.is_some() {
            fields.refuse("record", "is required, because the id names a record type");
        }
        return None;
    };
    let declared = record.text("type", 1, limits::CAPABILITY_CHARS);
    if kind != Some(declared) {
        record.refuse("type", "must equal the part of the id after @");
    }
    let param = record.optional_text("param", 1, 64).unwrap_or("record");
    record.finish();
    Some(RecordParam { kind: declared.into(), param: param.into() })
}

/// Adds the parameter that names the record, as a required string, where the schema lacks it.
fn require_record(schema: &mut Json, param: &str) -> Result<(), &'static str> {
    let Json::Object(members) = schema else { return Err("must be an object") };
    let properties = member(members, "properties", || Json::Object(Vec::new()));
    let Json::Object(properties) = properties else { return Err("properties must be an object") };
    match properties.iter().find(|(key, _)| key == param) {
        Some((_, property)) if property.get("type").and_then(Json::as_str) == Some("string") => {}
        Some(_) => return Err("must give the record parameter the type string"),
        None => {
            let string = Json::object([("type", Json::from("string"))]);
            properties.push((param.into(), string));
        }
    }
    let Json::Array(required) = member(members, "required", || Json::Array(Vec::new())) else {
        return Err("required must be an array");
    };
    if !required.iter().any(|name| name.as_str() == Some(param)) {
        required.push(Json::from(param));
    }
    Ok(())
}

fn member<'a>(members: &'a mut Vec<(String, Json)>, name: &str, missing: impl FnOnce() -> Json) -> &'a mut Json {
    let index = members.iter().position(|(key, _)| key == name).unwrap_or_else(|| {
        members.push((name.into(), missing()));
        members.len() - 1
    });
    &mut members[index].1
}

fn read_step(step: Reader<'_>) -> FlowStep {
    let mut step = step.object();
    let read = FlowStep { id: step.text("id", 1, 64).into(), title: step.text("title", 1, 256).into() };
    step.finish();
    read
}

/// How a field of a record is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// As it is.
    Plain,
    /// Its last characters at most.
    Mask,
    /// A random name for its value.
    Ref,
}

/// A source of records, as declared.
#[derive(Debug)]
pub struct Source {
    /// The record type.
    pub kind: String,
    /// Where its records are shown.
    pub region: Option<String>,
    /// Whose `C_eff` must meet this to see them.
    pub audience: Option<Scope>,
    /// The fields that leave the page, in order.
    pub fields: Vec<(String, Show)>,
    /// Whether it finds a record by id without listing all.
    pub gets: bool,
}

impl Source {
    /// The record of this type that is called `id`.
    #[must_use]
    pub fn reference(&self, id: &str) -> RecordRef {
        RecordRef { id: id.into(), kind: self.kind.clone() }
    }

    /// Reads `{ type, region?, for?, gets, fields: { name: "plain" | "mask" | "ref" } }`.
    ///
    /// # Errors
    /// What breaks a rule, and where.
    pub fn read(value: &Json) -> Result<Self, Rejection> {
        let first = FirstMisfit::new("records");
        let mut members = first.fields(value);
        let kind = members.text("type", 1, 64);
        if !id::is_word(kind) {
            members.refuse("type", "must be letters, digits, _ and -, a letter or digit first");
        }
        let region = members.optional_text("region", 1, 64).map(Into::into);
        let audience = read_audience(&mut members);
        let gets = members.optional_flag("gets").unwrap_or(false);
        let shows = members.required("fields");
        let mut fields = Vec::new();
        let mut shown = shows.clone().object();
        for (name, _) in shows.json().as_object().unwrap_or_default() {
            let show = match shown.required(name).word(&["plain", "mask", "ref"]) {
                0 => Show::Plain,
                1 => Show::Mask,
                _ => Show::Ref,
            };
            fields.push((name.clone(), show));
        }
        members.finish();
        first.check()?;
        Ok(Self { kind: kind.into(), region, audience, fields, gets })
    }
}

/// Reads `for`: capability ids or prefixes.
pub(super) fn read_audience(members: &mut Fields<'_>) -> Option<Scope> {
    let scope = Scope::read(&members.optional("for")?);
    if scope.is_none() {
        members.refuse("for", "may have a * only at the end of an entry");
    }
    scope
}

/// Reads `{ id, title, parent?, for? }`.
///
/// # Errors
/// What breaks a rule, and where.
pub(super) fn read_region(value: &Json) -> Result<(Region, Option<Scope>), Rejection> {
    let first = FirstMisfit::new("region");
    let mut members = first.fields(value);
    let region = Region {
        id: members.text("id", 1, 64).into(),
        title: members.text("title", 1, 256).into(),
        parent: members.optional_text("parent", 1, 64).map(Into::into),
    };
    let audience = read_audience(&mut members);
    members.finish();
    first.check()?;
    Ok((region, audience))
}

/// Reads `{ key, for? }`.
///
/// # Errors
/// What breaks a rule, and where.
pub(super) fn read_state(value: &Json) -> Result<(String, Option<Scope>), Rejection> {
    let first = FirstMisfit::new("state");
    let mut members = first.fields(value);
    let key = members.text("key", 1, 64).into();
    let audience = read_audience(&mut members);
    members.finish();
    first.check()?;
    Ok((key, audience))
}

/// Reads `{ for? }`.
///
/// # Errors
/// What breaks a rule, and where.
pub(super) fn read_for(value: &Json) -> Result<Option<Scope>, Rejection> {
    let first = FirstMisfit::new("object");
    let mut members = first.fields(value);
    let audience = read_audience(&mut members);
    members.finish();
    first.check()?;
    Ok(audience)
}

/// Reads `{ level, text, field?, for? }`.
///
/// # Errors
/// What breaks a rule, and where.
pub(super) fn read_feedback(value: &Json) -> Result<(Feedback, Option<Scope>), Rejection> {
    let first = FirstMisfit::new("feedback");
    let mut members = first.fields(value);
    let level = match members.required("level").word(&["info", "success", "warning", "error"]) {
        0 => Level::Info,
        1 => Level::Success,
        2 => Level::Warning,
        _ => Level::Error,
    };
    let text = super::show::cut(members.text("text", 1, limits::REQUEST_UNITS));
    let field = members.optional_text("field", 1, 256).map(Into::into);
    let audience = read_audience(&mut members);
    members.finish();
    first.check()?;
    Ok((Feedback { level, text, field }, audience))
}
