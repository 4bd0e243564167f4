//! The keywords of numbers.

use super::compile::Compiler;
use super::rule::Rule;
use crate::wire::Json;

/// Compiles the bounds of numbers.
pub(super) fn compile(compiler: &mut Compiler<'_>, source: &Json, rules: &mut Vec<Rule>) {
    rules.extend(compiler.number(source, "minimum").map(Rule::Minimum));
    rules.extend(compiler.number(source, "maximum").map(Rule::Maximum));
}
