//! The stream of a session: what was not acknowledged first, then everything as it happens (Host §3).

use super::Service;
use super::inner::bye;
use super::session::{Frame, Stream};
use crate::execution::limits;
use pageport::wire::bridge::{BridgeCode, BridgeError, ByeReason, EventNumber, PageSessionId};
use tokio::sync::mpsc::{Receiver, channel};

/// A stream that is open as long as this lives.
#[derive(Debug)]
pub struct Attached {
    service: Service,
    page: PageSessionId,
    number: u64,
    frames: Receiver<Frame>,
}

impl Attached {
    /// The next frame; `None` when the session is over.
    pub async fn next(&mut self) -> Option<Frame> {
        self.frames.recv().await
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.service.detach(self.page, self.number);
    }
}

impl Service {
    /// Opens the stream of a session; an older one ends.
    ///
    /// # Errors
    ///
    /// What the page is answered.
    pub fn attach(&self, page: PageSessionId, last: Option<EventNumber>) -> Result<Attached, BridgeError> {
        let (sender, frames) = channel(limits::STREAM_FRAMES);
        let number = self.with(|inner, now| {
            inner.streams += 1;
            let number = inner.streams;
            let gone = || BridgeError::new(BridgeCode::SessionGone);
            let session = inner.sessions.get_mut(&page).ok_or_else(gone)?;
            if !session.outbox.acknowledge(last.unwrap_or(0)) {
                return Err(gone());
            }
            session.send(bye(ByeReason::Replaced), now);
            session.stream = Some(Stream { number, sender });
            session.is_connected = true;
            session.grace = None;
            session.seen = now;
            let kept: Vec<_> = session.outbox.kept().collect();
            let frames: Vec<_> = kept.into_iter().filter_map(|kept| inner.frame(kept, now)).collect();
            if let Some(session) = inner.sessions.get_mut(&page) {
                frames.into_iter().for_each(|frame| session.send(frame, now));
            }
            Ok(number)
        })?;
        Ok(Attached { service: self.clone(), page, number, frames })
    }

    fn detach(&self, page: PageSessionId, number: u64) {
        self.with(|inner, now| {
            let session = inner.sessions.get_mut(&page);
            // A stream that was replaced is not the session's any more.
            let Some(session) = session.filter(|it| it.stream.as_ref().is_some_and(|it| it.number == number)) else {
                return;
            };
            session.lose_stream(now);
        });
    }
}
