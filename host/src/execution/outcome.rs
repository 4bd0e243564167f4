//! What a handler returned, and the checks it has to pass (Host §6).

use super::{EndCode, Happening, limits};
use pageport::schema::{Plain, Schema};
use pageport::wire::Json;
use pageport::wire::bridge::OperationResult;

/// Why a result is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// It does not fit the schema, or an array is too long.
    Output,
    /// It has too many bytes.
    Size,
    /// Count, cursor and `hasMore` contradict each other.
    Pagination,
}

impl Misfit {
    /// What this means for the execution.
    #[must_use]
    pub const fn happening(self) -> Happening {
        match self {
            Self::Output => Happening::InvalidOutput,
            Self::Size => Happening::OutputTooLarge,
            Self::Pagination => Happening::InvalidPagination,
        }
    }

    /// The code it ends with.
    #[must_use]
    pub const fn code(self) -> EndCode {
        match self {
            Self::Output => EndCode::InvalidOutput,
            Self::Size => EndCode::OutputTooLarge,
            Self::Pagination => EndCode::InvalidPagination,
        }
    }
}

/// Checks a result; `bytes` are those of its JSON. A cursor without another page is emptied.
///
/// # Errors
///
/// The first check it does not pass.
pub fn check(
    mut outcome: OperationResult,
    bytes: usize,
    limit: u32,
    schema: &Schema,
) -> Result<OperationResult, Misfit> {
    if bytes > limits::RESULT_BYTES {
        return Err(Misfit::Size);
    }
    schema.validate(Plain::from(&outcome.data)).map_err(|_| Misfit::Output)?;
    if !has_bounded_arrays(&outcome.data, limit as usize) {
        return Err(Misfit::Output);
    }
    let is_count = outcome.count >= 0.0 && outcome.count <= f64::from(limit) && outcome.count.fract() == 0.0;
    let is_cursor = outcome.next_cursor.len() <= limits::PAGE_CURSOR_BYTES;
    if !is_count || !is_cursor || (outcome.has_more && outcome.next_cursor.is_empty()) {
        return Err(Misfit::Pagination);
    }
    if !outcome.has_more {
        outcome.next_cursor.clear();
    }
    Ok(outcome)
}

/// Whether no array is longer than any may be, and none called `items` longer than was asked for.
fn has_bounded_arrays(value: &Json, limit: usize) -> bool {
    match value {
        Json::Array(items) => items.len() <= limits::ITEMS && items.iter().all(|item| has_bounded_arrays(item, limit)),
        Json::Object(members) => members.iter().all(|(name, member)| {
            let is_page = name == "items" && member.as_array().is_some_and(|items| items.len() > limit);
            !is_page && has_bounded_arrays(member, limit)
        }),
        _ => true,
    }
}
