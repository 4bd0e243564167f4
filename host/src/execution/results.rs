//! Which results are kept: so many, of so many bytes; at the bound the oldest make room (Host §4).

use super::limits;
use pageport::wire::bridge::{ExecutionId, OperationResult};
use std::collections::VecDeque;
use std::sync::Arc;

/// A result that passed its checks.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What the handler returned.
    pub result: Arc<OperationResult>,
    /// The bytes of its JSON.
    pub bytes: usize,
}

/// The results that are kept, by age.
#[derive(Debug, Default)]
pub(super) struct Results {
    order: VecDeque<(ExecutionId, usize)>,
    bytes: usize,
}

impl Results {
    /// Counts a new one; answers those that have to go.
    pub(super) fn keep(&mut self, id: ExecutionId, bytes: usize) -> Vec<ExecutionId> {
        self.order.push_back((id, bytes));
        self.bytes += bytes;
        let mut gone = Vec::new();
        while self.order.len() > limits::RESULTS || self.bytes > limits::RESULTS_BYTES {
            let Some((oldest, bytes)) = self.order.pop_front() else { break };
            self.bytes -= bytes;
            gone.push(oldest);
        }
        gone
    }

    /// Counts one no longer.
    pub(super) fn drop(&mut self, id: ExecutionId) {
        if let Some(at) = self.order.iter().position(|(kept, _)| *kept == id) {
            let bytes = self.order.remove(at).map_or(0, |(_, bytes)| bytes);
            self.bytes -= bytes;
        }
    }
}
