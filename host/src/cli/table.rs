//! Tables for people.

use super::print::{Output, line};
use super::safe_text::on_terminal;
use serde_json::Value;

/// The longest cell; what is longer is cut with `…`.
const CELL: usize = 60;

/// Prints rows of cells below a head; `none` when there are no rows.
pub(super) fn print(head: &[&str], rows: &[Vec<String>], none: &str, output: Output) {
    if rows.is_empty() {
        return line(none);
    }
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|cell| fit(cell)).collect()).collect();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([head[column].len()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let join = |cells: &[String]| {
        let cells = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let head: Vec<String> = head.iter().map(|&name| name.to_owned()).collect();
    line(&output.colour("1", &join(&head)));
    for row in &rows {
        line(&join(row));
    }
}

fn fit(text: &str) -> String {
    let safe = on_terminal(text);
    if safe.chars().count() <= CELL { safe } else { safe.chars().take(CELL - 1).chain(['…']).collect() }
}

/// A member of a value as a cell.
pub(super) fn cell(value: &Value, name: &str) -> String {
    match &value[name] {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::Array(items) => items
            .iter()
            .map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned))
            .collect::<Vec<_>>()
            .join(" "),
        other => other.to_string(),
    }
}

/// The items of a list as rows of these members.
pub(super) fn rows(list: &Value, members: &[&str]) -> Vec<Vec<String>> {
    let items = list["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    items.iter().map(|item| members.iter().map(|name| cell(item, name)).collect()).collect()
}
