//! The plugin itself: identity, permissions, domains and page scripts.

use super::domain::{domain_fault, is_inside, split_port};
use super::lint::{CAPTURE, Lint, Members, Node};
use super::{ReadOptions, operation, resource};
use crate::wire::manifest::{Manifest, MatchRule, PageScript, Permission};
use crate::wire::operations_limits as limits;

pub(super) fn read(node: &Node<'_>, options: ReadOptions, lint: &mut Lint) -> Option<Manifest> {
    let mut members = node.object(lint)?;
    if let Some(schema) = members.take("$schema") {
        schema.text(lint, 1, 2_048);
    }
    let mut manifest = Manifest {
        id: members.require(lint, "id").and_then(|id| id.id(lint)).unwrap_or_default().to_owned(),
        version: text(&mut members, lint, "version", limits::NAME_ID_CHARS),
        name: text(&mut members, lint, "name", limits::NAME_CHARS),
        permissions: permissions(&mut members, lint),
        domains: domains(&mut members, options, lint),
        page_scripts: Vec::new(),
        operations: Vec::new(),
        resources: None,
    };
    for script in members.list(lint, "pageScripts", limits::PAGE_SCRIPTS) {
        if let Some(script) = read_script(&script, &manifest, lint) {
            manifest.page_scripts.push(script);
        }
    }
    let operations = members.map(lint, "operations", true, limits::OPERATIONS);
    let ids: Vec<&str> = operations.iter().map(|(id, _)| *id).collect();
    for (id, node) in operations {
        if let Some(operation) = operation::read(id, &node, &manifest, options, lint) {
            manifest.operations.push(operation);
        }
    }
    manifest.resources = members.take("resources").and_then(|node| resource::read(&node, &ids, lint));
    members.finish(lint);
    Some(manifest)
}

/// A required name or version: no control characters.
fn text(members: &mut Members<'_>, lint: &mut Lint, name: &str, max: usize) -> String {
    let Some(node) = members.require(lint, name) else { return String::new() };
    let text = node.text(lint, 1, max).unwrap_or_default();
    if text.chars().any(char::is_control) {
        lint.error(&node.pointer, "must not have control characters");
    }
    text.to_owned()
}

fn permissions(members: &mut Members<'_>, lint: &mut Lint) -> Vec<Permission> {
    let mut permissions = Vec::new();
    for node in members.list(lint, "permissions", 16) {
        if node.value.as_str().is_some_and(|name| name.starts_with("capture")) {
            lint.error(&node.pointer, CAPTURE);
        } else if let Some(place) = node.word(lint, Permission::WORDS) {
            let permission = Permission::ALL[place];
            if permissions.contains(&permission) {
                lint.error(&node.pointer, "stands there twice");
            } else {
                permissions.push(permission);
            }
        }
    }
    if permissions.contains(&Permission::PageBridge) && !permissions.contains(&Permission::InjectPageScript) {
        lint.error("/permissions", "page-bridge needs inject-page-script");
    }
    permissions
}

fn domains(members: &mut Members<'_>, options: ReadOptions, lint: &mut Lint) -> Vec<String> {
    let mut domains: Vec<String> = Vec::new();
    let Some(list) = members.require(lint, "domains") else { return domains };
    for node in list.list(lint, limits::DOMAINS) {
        let Some(domain) = node.text(lint, 1, 255) else { continue };
        match domain_fault(domain, options.is_dev) {
            Some(fault) => lint.error(&node.pointer, fault),
            None if domains.iter().any(|known| known == domain) => lint.error(&node.pointer, "stands there twice"),
            None => {}
        }
        // A wrong one too, so that no rule is blamed for it.
        domains.push(domain.to_owned());
    }
    if list.value.as_array().is_some_and(<[_]>::is_empty) {
        lint.error(&list.pointer, "must name a domain");
    }
    domains
}

fn read_script(node: &Node<'_>, manifest: &Manifest, lint: &mut Lint) -> Option<PageScript> {
    let mut members = node.object(lint)?;
    let id = members.require(lint, "id");
    let id = id.and_then(|node| {
        let id = node.id(lint)?;
        if manifest.page_scripts.iter().any(|script| script.id == id) {
            lint.error(&node.pointer, "stands there twice");
        }
        Some(id.to_owned())
    });
    let file = members.require(lint, "file").and_then(|node| {
        let file = node.text(lint, 1, 255)?;
        if !is_script_file(file) {
            lint.error(&node.pointer, "must be the relative path of a .js file inside the plugin's folder");
        }
        Some(file.to_owned())
    });
    let bridge = members.take("bridge").is_some_and(|node| {
        let bridge = node.flag(lint).unwrap_or_default();
        if bridge && !manifest.permissions.contains(&Permission::PageBridge) {
            lint.error(&node.pointer, "needs the permission page-bridge");
        }
        bridge
    });
    if !manifest.permissions.contains(&Permission::InjectPageScript) {
        lint.error(&node.pointer, "needs the permission inject-page-script");
    }
    let matches = rules(members.take("match"), manifest, lint);
    members.finish(lint);
    // Without its file too, so that no operation is blamed for it.
    Some(PageScript { id: id?, file: file.unwrap_or_default(), bridge, matches })
}

fn is_script_file(file: &str) -> bool {
    let is_segment = |segment: &str| !segment.is_empty() && segment != "." && segment != "..";
    file.ends_with(".js")
        && file.split('/').all(is_segment)
        && !file.contains(['\\', ':'])
        && !file.chars().any(char::is_control)
}

/// The rules of `match` or `pageMatch`.
pub(super) fn rules(node: Option<Node<'_>>, manifest: &Manifest, lint: &mut Lint) -> Vec<MatchRule> {
    let Some(node) = node else { return Vec::new() };
    if node.value.as_array().is_some_and(<[_]>::is_empty) {
        lint.error(&node.pointer, "must have a rule; leave it out for every page");
    }
    let rules = node.list(lint, limits::MATCHES);
    rules.iter().filter_map(|rule| read_rule(rule, manifest, lint)).collect()
}

fn read_rule(node: &Node<'_>, manifest: &Manifest, lint: &mut Lint) -> Option<MatchRule> {
    let mut members = node.object(lint)?;
    let host = members.require(lint, "host").and_then(|node| {
        let host = node.text(lint, 1, 261)?;
        let (name, _) = split_port(host);
        // `--dev` was asked for where the domain was read.
        match domain_fault(name, true) {
            Some(fault) => lint.error(&node.pointer, fault),
            None if is_inside(name, &manifest.domains) => {}
            None => lint.error(&node.pointer, "must be inside the plugin's domains"),
        }
        Some(host.to_owned())
    });
    let path = members.take("path").and_then(|node| {
        let path = node.text(lint, 1, 2_048)?;
        let is_exact = path.find('*').is_none_or(|star| star + 1 == path.len());
        if !path.starts_with('/') || !is_exact || path.contains(['?', '#']) {
            lint.error(&node.pointer, "must be a path from / on, exact or ending in *");
        }
        Some(path.to_owned())
    });
    members.finish(lint);
    Some(MatchRule { host: host?, path })
}
