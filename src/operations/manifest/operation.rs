//! One operation of a manifest.

use super::lint::{Lint, Members, Node, below, is_id};
use super::{ReadOptions, plugin};
use crate::schema::{Interner, Plain, Profile, Schema};
use crate::wire::manifest::{Locale, Manifest, Operation, OperationCategory, OperationEffect, Permission};
use crate::wire::operations_limits as limits;
use crate::wire::{Json, to_text};

pub(super) fn read(
    id: &str,
    node: &Node<'_>,
    manifest: &Manifest,
    options: ReadOptions,
    lint: &mut Lint,
) -> Option<Operation> {
    if !is_id(id) {
        lint.error(&node.pointer, "must be called by 1 to 64 letters, digits, dots, hyphens and underscores");
    }
    let mut members = node.object(lint)?;
    let name = members.require(lint, "name").and_then(|node| node.text(lint, 1, limits::NAME_CHARS));
    let description = members.take("description").and_then(|node| node.text(lint, 0, limits::DESCRIPTION_CHARS));
    let locales = read_locales(&mut members, lint);
    let category = members.require(lint, "category").and_then(|node| node.word(lint, OperationCategory::WORDS));
    let page_script = read_page_script(&mut members, manifest, lint);
    let page_match = plugin::rules(members.take("pageMatch"), manifest, lint);
    let requires_login = members.flag(lint, "requiresLogin");
    let input_schema = read_schema(&mut members, "inputSchema", Profile::Operation, options, lint);
    let output_schema = read_schema(&mut members, "outputSchema", Profile::OperationOutput, options, lint);
    let examples = read_examples(&mut members, input_schema.as_ref(), lint);
    let effects = read_effects(&mut members, manifest, lint);
    let timeout_seconds = members
        .take("timeoutSeconds")
        .and_then(|node| node.whole(lint, limits::TIMEOUT_SECONDS_MAX))
        .filter(|seconds| *seconds > 0)
        .unwrap_or(limits::TIMEOUT_SECONDS);
    let cancellable = members.flag(lint, "cancellable");
    let safe_retry = members.flag(lint, "safeRetry");
    if safe_retry && effects.iter().any(|effect| *effect != OperationEffect::Read) {
        lint.error(&below(&members.pointer, "safeRetry"), "is only for operations whose effects are just read");
    }
    let allow_reload = members.flag(lint, "allowReload");
    if allow_reload && !effects.contains(&OperationEffect::Page) {
        lint.error(&below(&members.pointer, "allowReload"), "needs the effect page");
    }
    let automation = members.flag(lint, "automation");
    let persist_result = members.flag(lint, "persistResult");
    let ttl = members.take("resultTTLSeconds").and_then(|node| node.whole(lint, limits::RESULT_TTL_SECONDS_MAX));
    let pointer = members.pointer.clone();
    members.finish(lint);
    let category = OperationCategory::ALL[category?];
    if matches!(category, OperationCategory::Search | OperationCategory::List) {
        warn_of_items(output_schema.as_ref(), &below(&pointer, "outputSchema"), lint);
    }
    Some(Operation {
        id: id.to_owned(),
        name: name?.to_owned(),
        description: description.unwrap_or_default().to_owned(),
        locales,
        category,
        page_script: page_script?,
        page_match,
        requires_login,
        input_schema: input_schema?,
        output_schema: output_schema?,
        examples,
        effects,
        timeout_seconds,
        cancellable,
        safe_retry,
        allow_reload,
        automation,
        persist_result,
        result_ttl_seconds: ttl.unwrap_or_default(),
    })
}

fn read_locales(members: &mut Members<'_>, lint: &mut Lint) -> Vec<Locale> {
    let locales = members.map(lint, "locales", false, limits::LOCALES);
    let mut read = Vec::with_capacity(locales.len());
    for (tag, node) in locales {
        if !is_language_tag(tag) {
            lint.error(&node.pointer, "must be called by a BCP 47 tag, as in de or zh-Hans");
        }
        let Some(mut members) = node.object(lint) else { continue };
        let name = members.take("name").and_then(|node| node.text(lint, 1, limits::NAME_CHARS));
        let description = members.take("description").and_then(|node| node.text(lint, 0, limits::DESCRIPTION_CHARS));
        members.finish(lint);
        read.push(Locale {
            tag: tag.to_owned(),
            name: name.map(str::to_owned),
            description: description.map(str::to_owned),
        });
    }
    read
}

/// Whether a tag has the form of BCP 47; whether the language exists is not known here.
fn is_language_tag(tag: &str) -> bool {
    let mut parts = tag.split('-');
    let is_language = |part: &str| (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_part = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    parts.next().is_some_and(is_language) && parts.all(is_part)
}

fn read_page_script(members: &mut Members<'_>, manifest: &Manifest, lint: &mut Lint) -> Option<String> {
    let node = members.require(lint, "pageScript")?;
    let id = node.id(lint)?;
    match manifest.page_scripts.iter().find(|script| script.id == id) {
        None => lint.error(&node.pointer, "must name a script of pageScripts"),
        Some(script) if !script.bridge => lint.error(&node.pointer, "must name a script with bridge: true"),
        Some(_) => {}
    }
    Some(id.to_owned())
}

fn read_schema(
    members: &mut Members<'_>,
    name: &str,
    profile: Profile,
    options: ReadOptions,
    lint: &mut Lint,
) -> Option<Json> {
    let node = members.require(lint, name)?;
    if to_text(node.value, options.number_text).len() > limits::SCHEMA_BYTES {
        lint.error(&node.pointer, "must not be larger than 16 KiB");
        return None;
    }
    let errors = Schema::lint(node.value, profile);
    for error in &errors {
        lint.error(&(node.pointer.clone() + &error.pointer), &*error.message);
    }
    errors.is_empty().then(|| node.value.clone())
}

/// The examples; they can be checked only when the schema itself is fine.
fn read_examples(members: &mut Members<'_>, input_schema: Option<&Json>, lint: &mut Lint) -> Vec<Json> {
    let Some(list) = members.take("examples") else { return Vec::new() };
    let compiled =
        input_schema.and_then(|schema| Schema::compile(schema, Profile::Operation, &mut Interner::new()).ok());
    let mut examples = Vec::new();
    for node in list.list(lint, limits::EXAMPLES) {
        for issue in
            compiled.as_ref().and_then(|schema| schema.validate(Plain::from(node.value)).err()).unwrap_or_default()
        {
            lint.error(&(node.pointer.clone() + &issue.path), issue.message);
        }
        examples.push(node.value.clone());
    }
    examples
}

fn read_effects(members: &mut Members<'_>, manifest: &Manifest, lint: &mut Lint) -> Vec<OperationEffect> {
    let mut effects = Vec::new();
    let Some(list) = members.require(lint, "effects") else { return effects };
    if list.value.as_array().is_some_and(<[_]>::is_empty) {
        lint.error(&list.pointer, "must name an effect");
    }
    for node in list.list(lint, OperationEffect::ALL.len()) {
        let Some(place) = node.word(lint, OperationEffect::WORDS) else { continue };
        let effect = OperationEffect::ALL[place];
        if effects.contains(&effect) {
            lint.error(&node.pointer, "stands there twice");
            continue;
        }
        effects.push(effect);
        let needed: &[Permission] = match effect {
            OperationEffect::Read | OperationEffect::Page => &[],
            OperationEffect::Publish => &[Permission::EmitResource],
            OperationEffect::Download => &[Permission::EmitResource, Permission::EnqueueDownload],
        };
        for permission in needed.iter().filter(|permission| !manifest.permissions.contains(permission)) {
            lint.error(&node.pointer, "needs the permission ".to_owned() + permission.as_str());
        }
    }
    effects
}

/// Items of a search or a list are easier to go on with when they say what they are.
fn warn_of_items(schema: Option<&Json>, pointer: &str, lint: &mut Lint) {
    let Some(schema) = schema else { return };
    let items = schema.get("properties").and_then(|properties| properties.get("items"));
    let Some(item) = items.and_then(|items| items.get("items")) else {
        lint.warn(pointer, "has no array called items");
        return;
    };
    for name in ["id", "kind", "title", "pageUrl"] {
        if item.get("properties").and_then(|properties| properties.get(name)).is_none() {
            lint.warn(&(pointer.to_owned() + "/properties/items/items"), "items have no ".to_owned() + name);
        }
    }
}
