//! A connected document as the host knows it (Host §3).

use super::outbox::Outbox;
use super::window::Window;
use crate::execution::{Millis, limits};
use crate::secret::Hash;
use pageport::wire::bridge::{Login, PageSessionId, Revision};
use std::sync::Arc;
use tokio::sync::mpsc::Sender;
use tokio::sync::mpsc::error::TrySendError;

/// What a stream is sent: one SSE frame, or its end after it.
#[derive(Debug)]
pub enum Frame {
    /// An event.
    Event(String),
    /// The last event.
    Last(String),
}

/// The open stream of a session.
#[derive(Debug)]
pub(super) struct Stream {
    /// Tells it from the streams before it.
    pub(super) number: u64,
    pub(super) sender: Sender<Frame>,
}

/// One connected document.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) id: PageSessionId,
    pub(super) token: Hash,
    pub(super) plugin: Arc<str>,
    pub(super) script: String,
    pub(super) origin: String,
    /// Which of the host's names carries its stream.
    pub(super) shard: u32,
    pub(super) operations: Vec<String>,
    pub(super) title: String,
    pub(super) url: String,
    pub(super) ready: bool,
    pub(super) login: Login,
    pub(super) context: String,
    /// The newest state that was applied.
    pub(super) seq: Option<u32>,
    /// Issued with the first state.
    pub(super) revision: Option<Revision>,
    pub(super) stream: Option<Stream>,
    /// Whether it counts as reachable: it has a stream, or lost it moments ago.
    pub(super) is_connected: bool,
    /// When the last stream was lost, or the last POST came.
    pub(super) seen: Millis,
    /// When a lost stream counts as gone.
    pub(super) grace: Option<Millis>,
    pub(super) outbox: Outbox,
    pub(super) counted: Window,
}

impl Session {
    /// When it ends unless something is heard of it.
    pub(super) fn idle_due(&self) -> Option<Millis> {
        self.stream.is_none().then(|| self.seen.after(limits::SESSION_IDLE_MS))
    }

    /// The next moment at which something happens to it by itself.
    pub(super) fn next_due(&self) -> Option<Millis> {
        [self.grace, self.idle_due()].into_iter().flatten().min()
    }

    /// Sends a frame, when somebody listens. Who lets too many wait loses the stream, and finds what is kept when it
    /// comes back.
    pub(super) fn send(&mut self, frame: Frame, now: Millis) {
        let Some(stream) = &self.stream else { return };
        match stream.sender.try_send(frame) {
            // A stream that just ended is noticed by its own task.
            Ok(()) | Err(TrySendError::Closed(_)) => {}
            Err(TrySendError::Full(_)) => self.lose_stream(now),
        }
    }

    /// Its stream is over; another may come back in time.
    pub(super) fn lose_stream(&mut self, now: Millis) {
        self.stream = None;
        self.seen = now;
        self.grace = Some(now.after(limits::GRACE_MS));
    }

    /// Whether the login is as an operation needs it.
    pub(super) fn has_login(&self, is_required: bool) -> bool {
        !is_required || self.login == Login::Authenticated
    }
}
