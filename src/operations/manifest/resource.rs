//! The buttons beside published resources.

use super::lint::{Lint, Node, is_id};
use crate::wire::manifest::{ResourceAction, ResourceOptions};

/// Why there is no such button.
const PROCESS_FILE: &str = "process-file is not supported: choosing files stays with the person";

pub(super) fn read(node: &Node<'_>, operations: &[&str], lint: &mut Lint) -> Option<ResourceOptions> {
    let mut members = node.object(lint)?;
    let actions = members.map(lint, "actions", true, 32);
    let actions = actions.into_iter().filter_map(|(id, node)| read_action(id, &node, operations, lint)).collect();
    members.finish(lint);
    Some(ResourceOptions { actions })
}

fn read_action(id: &str, node: &Node<'_>, operations: &[&str], lint: &mut Lint) -> Option<ResourceAction> {
    if !is_id(id) {
        lint.error(&node.pointer, "must be called by 1 to 64 letters, digits, dots, hyphens and underscores");
    }
    let mut members = node.object(lint)?;
    if let Some(kind) = members.require(lint, "kind") {
        if kind.value.as_str() == Some("process-file") {
            lint.error(&kind.pointer, PROCESS_FILE);
            return None;
        }
        kind.word(lint, &["operation"]);
    }
    let operation = members.require(lint, "operation").and_then(|node| {
        let operation = node.id(lint)?;
        if !operations.contains(&operation) {
            lint.error(&node.pointer, "must name an operation of this plugin");
        }
        Some(operation.to_owned())
    });
    members.finish(lint);
    Some(ResourceAction { id: id.to_owned(), kind: "operation", operation: operation? })
}
