//! The keywords of numbers.

use super::compile::Compiler;
use super::rule::{Keyword, Rule};
use crate::wire::Json;

/// The keywords that compare.
const BOUNDS: [Keyword<f64>; 4] = [
    ("minimum", Rule::Minimum),
    ("maximum", Rule::Maximum),
    ("exclusiveMinimum", Rule::ExclusiveMinimum),
    ("exclusiveMaximum", Rule::ExclusiveMaximum),
];

/// Compiles the keywords of numbers.
pub(super) fn compile(compiler: &mut Compiler<'_>, source: &Json, rules: &mut Vec<Rule>) {
    for (keyword, rule) in BOUNDS {
        if let Some(bound) = compiler.number(source, keyword) {
            rules.push(rule(bound));
        }
    }
    match compiler.number(source, "multipleOf") {
        Some(divisor) if divisor > 0.0 => rules.push(Rule::MultipleOf(divisor)),
        Some(_) => compiler.refuse("multipleOf", "must be above 0"),
        None => {}
    }
}

/// Whether a number is a multiple; fractions are taken for the decimals that they print as.
pub(super) fn is_multiple(number: f64, divisor: f64) -> bool {
    // Without `%`, which wasm has to calculate bit by bit.
    let nearest = (number / divisor).round_ties_even() * divisor;
    if number.trunc() == number && divisor.trunc() == divisor {
        return nearest == number;
    }
    // The nearest multiple may differ by the rounding of the division and of the multiplication.
    (nearest - number).abs() <= number.abs() * f64::EPSILON
}
