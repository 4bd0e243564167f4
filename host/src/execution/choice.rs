//! Which page an execution goes to (Host §3).

use super::UnavailableReason as Unavailable;
use pageport::wire::bridge::PageSessionId;

/// A page as a choice sees it.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The page.
    pub page: PageSessionId,
    /// Whether its script declares the operation.
    pub declares: bool,
    /// Whether its URL fits the operation's `pageMatch`.
    pub matches: bool,
    /// Whether the host reaches it.
    pub connected: bool,
    /// Whether it says that it is ready.
    pub ready: bool,
    /// Whether the login is as the operation needs it.
    pub logged_in: bool,
}

/// How far a page came that takes no execution: it is asked in this order.
const STEPS: &[Unavailable] = &[
    Unavailable::NoPage,
    Unavailable::NotDeclared,
    Unavailable::NoMatch,
    Unavailable::Disconnected,
    Unavailable::NotReady,
    Unavailable::LoginRequired,
];

/// What a person can do about it.
#[must_use]
pub const fn hint(reason: Unavailable) -> &'static str {
    match reason {
        Unavailable::NoPage => "open the page in the browser",
        Unavailable::NotDeclared => "open a page whose script handles this operation",
        Unavailable::NoMatch => "go to a page that the operation is for",
        Unavailable::Disconnected => "bring the page to the front, or load it again",
        Unavailable::NotReady => "wait until the page is ready",
        Unavailable::LoginRequired => "sign in on the page",
    }
}

fn step(reason: Unavailable) -> usize {
    STEPS.iter().position(|step| *step == reason).unwrap_or(0)
}

impl Candidate {
    /// Why this page does not take the execution.
    #[must_use]
    pub const fn obstacle(&self) -> Option<Unavailable> {
        if !self.declares {
            Some(Unavailable::NotDeclared)
        } else if !self.matches {
            Some(Unavailable::NoMatch)
        } else if !self.connected {
            Some(Unavailable::Disconnected)
        } else if !self.ready {
            Some(Unavailable::NotReady)
        } else if !self.logged_in {
            Some(Unavailable::LoginRequired)
        } else {
            None
        }
    }
}

/// What was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// This page.
    Page(PageSessionId),
    /// Any of these; the caller has to name one.
    Ambiguous(Vec<PageSessionId>),
    /// None: what the page that came furthest lacks.
    None(Unavailable),
}

/// Chooses among the pages of a plugin; `named` is the caller's own choice.
#[must_use]
pub fn choose(pages: &[Candidate], named: Option<PageSessionId>) -> Choice {
    let asked = pages.iter().filter(|page| named.is_none_or(|named| named == page.page));
    let mut eligible = Vec::new();
    let mut obstacle = Unavailable::NoPage;
    for page in asked {
        match page.obstacle() {
            None => eligible.push(page.page),
            Some(found) => obstacle = if step(found) > step(obstacle) { found } else { obstacle },
        }
    }
    match eligible.as_slice() {
        [] => Choice::None(obstacle),
        [page] => Choice::Page(*page),
        _ => Choice::Ambiguous(eligible),
    }
}
