//! The keywords of strings. Lengths are code points.

use super::Value;
use super::compile::Compiler;
use super::rule::Rule;
use crate::wire::Json;

/// Compiles the keywords of strings; `maxLength` comes before `pattern`.
pub(super) fn compile(compiler: &mut Compiler<'_>, source: &Json, rules: &mut Vec<Rule>) {
    compiler.counts(source, [("minLength", Rule::MinLength), ("maxLength", Rule::MaxLength)], rules);
    if let Some(pattern) = source.get("pattern")
        && let Some(pattern) = compiler.pattern(pattern.as_str(), "pattern")
    {
        rules.push(Rule::Pattern(Box::new(pattern)));
    }
}

/// Whether a string has at least this many code points; they are counted only where the units leave it open.
pub(super) fn has_at_least<V: Value>(value: V, min: u32) -> bool {
    let units = value.length();
    units >= min && (units.div_ceil(2) >= min || value.code_points() >= min)
}

/// Whether a string has at most this many code points.
pub(super) fn has_at_most<V: Value>(value: V, max: u32) -> bool {
    let units = value.length();
    units <= max || (units.div_ceil(2) <= max && value.code_points() <= max)
}
