//! The doors: HTTP in, one call of the service, JSON out (Host §11).

mod api;
mod body;
mod bridge;
mod connection;
mod events;
mod guard;
mod reply;
mod server;
mod tools;

pub use guard::is_origin;
pub use server::{BindError, Listeners};
pub use tools::check as check_arguments;

use crate::secret::{self, Hash};
use crate::service::Service;
use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{any, get, post};

/// What every route needs.
#[derive(Clone, Debug)]
pub struct Doors {
    /// The service.
    pub service: Service,
    /// Where the host listens.
    pub port: u16,
    token: std::sync::Arc<str>,
    token_hash: Hash,
}

impl Doors {
    /// Doors to a service; `token` opens the automation door.
    #[must_use]
    pub fn new(service: Service, port: u16, token: &str) -> Self {
        Self { service, port, token: token.into(), token_hash: secret::hash(token) }
    }
}

/// Every route of the host.
pub fn router(doors: Doors) -> Router {
    Router::new()
        .route("/bridge/v1/events", get(events::events).head(reply::nothing_here).options(bridge::preflight))
        .route("/bridge/v1/{call}", post(bridge::call).options(bridge::preflight))
        .route("/api/v1/{tool}", post(api::call))
        .route("/hello", get(api::hello))
        .fallback(any(reply::nothing_here))
        .method_not_allowed_fallback(reply::nothing_here)
        .layer(from_fn_with_state(doors.clone(), guard::check_host))
        .with_state(doors)
}
