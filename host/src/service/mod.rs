//! The one place that runs operations: every door asks here, and only here things are decided and written down.

mod arguments;
mod error;
mod inner;
mod key;
mod open;
mod outbox;
mod page;
mod plugins;
mod query;
mod session;
mod stream;
mod submit;
#[cfg(test)]
mod tests;
mod window;

pub use arguments::{HistoryArguments, Invocation};
pub(crate) use arguments::{present, within};
pub use error::ApiError;
pub use page::{PageAnswer, PageCall};
pub use plugins::{Added, PluginRow, write_credential};
pub use query::{Discovery, HistoryPage, OperationRow};
pub use session::Frame;
pub use stream::Attached;

use crate::clock::Clock;
use crate::execution::Millis;
use crate::secret::Hash;
use crate::store::Store;
use inner::Inner;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, watch};

/// What a host is told when it starts.
#[derive(Clone, Default)]
pub struct Settings {
    /// Whether `localhost` may be a plugin's domain, on any port.
    pub is_dev: bool,
    /// Origins that may use a plugin beside those of its domains: origin and plugin.
    pub allowed_origins: Vec<(String, String)>,
    /// Keys the hashes of what callers asked for; a secret of the data folder.
    pub key: Hash,
    /// The port pages reach the host at.
    pub port: u16,
}

impl std::fmt::Debug for Settings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Settings")
            .field("is_dev", &self.is_dev)
            .field("port", &self.port)
            .finish_non_exhaustive()
    }
}

/// A handle of the service; clones are the same service.
#[derive(Clone, Debug)]
pub struct Service(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    inner: Mutex<Inner>,
    clock: Clock,
    /// Wakes the timer when something is due earlier than it thought.
    earlier: Notify,
    /// Where the newest credential of a plugin's folder is written.
    credential_files: Mutex<BTreeMap<PathBuf, PathBuf>>,
    /// Counts what callers who wait may want to look at.
    changes: watch::Sender<u64>,
}

impl Service {
    /// A service over an open store; work that an earlier host left is interrupted.
    ///
    /// # Errors
    ///
    /// When the store does not answer.
    pub fn start(store: Store, settings: Settings) -> Result<Self, ApiError> {
        let clock = Clock::start();
        let inner = Inner::start(store, settings, clock.now()).map_err(|error| {
            tracing::error!("the store failed: {error}");
            ApiError::storage()
        })?;
        let changes = watch::Sender::new(0);
        let credential_files = Mutex::default();
        let shared = Shared { inner: Mutex::new(inner), clock, earlier: Notify::new(), credential_files, changes };
        Ok(Self(Arc::new(shared)))
    }

    /// Ends what is due, at the moment it is due; never returns.
    pub async fn keep_time(self) {
        loop {
            let due = self.with(|inner, _| inner.arm());
            match due {
                Some(due) => {
                    let _ = tokio::time::timeout_at(self.0.clock.instant(due), self.0.earlier.notified()).await;
                }
                None => self.0.earlier.notified().await,
            }
        }
    }

    /// Ends everything, tells the pages, and refuses what comes after.
    pub fn stop(&self) {
        self.with(Inner::stop);
    }

    fn credential_files(&self) -> MutexGuard<'_, BTreeMap<PathBuf, PathBuf>> {
        self.0.credential_files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something between two moments at which everything is in order.
    fn with<T>(&self, work: impl FnOnce(&mut Inner, Millis) -> T) -> T {
        let mut inner = self.0.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.0.clock.now();
        inner.tick(now);
        let result = work(&mut inner, now);
        inner.settle(now);
        let has_changed = inner.take_change();
        let is_earlier = inner.is_due_earlier();
        drop(inner);
        if is_earlier {
            self.0.earlier.notify_one();
        }
        if has_changed {
            self.0.changes.send_modify(|count| *count += 1);
        }
        result
    }
}
