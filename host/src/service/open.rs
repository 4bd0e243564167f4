//! Opening and leaving a page session (Host §3).

use super::Service;
use super::inner::{Inner, f64_of};
use super::outbox::Outbox;
use super::session::Session;
use super::window::Window;
use crate::execution::{Happening, Millis, limits};
use crate::plugin::Plugin;
use crate::secret;
use pageport::operations::manifest::UrlParts;
use pageport::wire::bridge::{
    BridgeCode, BridgeError, BridgeLimits, LeaveBody, Login, OpenPlugin, OpenReply, PageSessionId,
};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Service {
    /// Opens a session for a page of a plugin.
    ///
    /// # Errors
    ///
    /// What the page is answered.
    pub fn open(&self, credential: &str, origin: &str, body: OpenPlugin) -> Result<OpenReply, BridgeError> {
        self.with(|inner, now| inner.open(credential, origin, body, now))
    }

    /// The page's last words; whatever is wrong with them, a beacon gets no answer.
    pub fn leave(&self, origin: &str, body: LeaveBody) {
        self.with(|inner, now| {
            let Ok(page) = inner.authorize(&body.token, origin, now) else { return };
            for report in body.reports {
                // The page is going: it could not react to a refusal.
                let _ = inner.complete(page, report, now);
            }
            if body.close {
                inner.end_session(page, Happening::PageLost, now);
            }
        });
    }

    /// The session of a token, when the origin is the session's too.
    ///
    /// # Errors
    ///
    /// When the token is no session's, or the origin is not the session's.
    pub fn authorize(&self, token: &str, origin: &str) -> Result<PageSessionId, BridgeError> {
        self.with(|inner, now| inner.authorize(token, origin, now))
    }
}

impl Inner {
    pub(super) fn open(
        &mut self,
        credential: &str,
        origin: &str,
        body: OpenPlugin,
        now: Millis,
    ) -> Result<OpenReply, BridgeError> {
        if self.is_stopping {
            return Err(BridgeError::new(BridgeCode::Stopping));
        }
        let hash = secret::hash(credential);
        let known = self.store.credential(&hash).map_err(|_| BridgeError::new(BridgeCode::StorageUnavailable))?;
        let known = known.filter(|it| it.plugin == body.plugin_id).ok_or_else(refused)?;
        let opens = self.opens.entry(known.plugin.clone()).or_default();
        opens.count(now, limits::OPENS, limits::OPENS_MS).map_err(limited)?;
        let plugin = self.plugins.get(&known.plugin).and_then(|entry| entry.plugin.clone()).ok_or_else(refused)?;
        let is_current = known.generation == plugin.generation
            && body.generation == plugin.generation
            && body.plugin_version == *plugin.version;
        if !is_current {
            return Err(BridgeError::new(BridgeCode::PluginChanged));
        }
        self.check_origin(&plugin, origin, &body.page_url)?;
        check_body(&plugin, &body)?;
        self.make_room(&plugin.id, now)?;

        let id = PageSessionId::from_bytes(secret::random());
        let token = secret::token();
        let shard = self.emptiest_shard();
        let session = Session {
            id,
            token: secret::hash(&token),
            plugin: Arc::clone(&plugin.id),
            script: body.script_id,
            origin: origin.to_owned(),
            shard,
            operations: body.operations,
            title: body.title,
            url: body.page_url,
            ready: false,
            login: Login::Unknown,
            context: String::new(),
            seq: None,
            revision: None,
            stream: None,
            is_connected: false,
            seen: now,
            grace: None,
            outbox: Outbox::default(),
            counted: Window::default(),
        };
        self.tokens.insert(session.token, id);
        self.sessions.insert(id, session);
        Ok(OpenReply {
            page_session_id: id,
            token,
            events_url: format!("http://s{shard}.localhost:{}/bridge/v1/events", self.settings.port),
            heartbeat_ms: f64_of(limits::HEARTBEAT_MS),
            limits: BridgeLimits::DEFAULT,
        })
    }

    /// Whether pages of the origin may use the plugin, and the URL is one of the origin.
    fn check_origin(&self, plugin: &Plugin, origin: &str, url: &str) -> Result<(), BridgeError> {
        let named = |(allowed, id): &(String, String)| allowed == origin && **id == *plugin.id;
        let is_allowed = self.settings.allowed_origins.iter().any(named)
            || UrlParts::parse(origin).is_some_and(|parts| plugin.allows(parts, self.settings.is_dev));
        if !is_allowed || !is_of_origin(url, origin) {
            let mut error = BridgeError::new(BridgeCode::OriginRefused);
            error.hint = Some("add the site to the plugin's domains, or start the host with --allow-origin".into());
            return Err(error);
        }
        Ok(())
    }

    /// The name of the host that carries the fewest streams: browsers open few connections to one name.
    fn emptiest_shard(&self) -> u32 {
        let count = |shard: &u32| self.sessions.values().filter(|it| it.shard == *shard).count();
        (0..limits::SHARDS).min_by_key(count).unwrap_or(0)
    }

    /// Ends the oldest idle session of a plugin that has as many as it may.
    fn make_room(&mut self, plugin: &str, now: Millis) -> Result<(), BridgeError> {
        let of_plugin: Vec<&Session> = self.sessions.values().filter(|it| &*it.plugin == plugin).collect();
        if of_plugin.len() < limits::PLUGIN_SESSIONS {
            return Ok(());
        }
        let idle = of_plugin.iter().filter(|it| !it.is_connected).min_by_key(|it| it.seen).map(|it| it.id);
        let Some(idle) = idle else { return Err(BridgeError::new(BridgeCode::SessionLimit)) };
        self.end_session(idle, Happening::PageLost, now);
        Ok(())
    }

    /// The session of a token, when the origin is the session's too.
    pub(super) fn authorize(&mut self, token: &str, origin: &str, now: Millis) -> Result<PageSessionId, BridgeError> {
        if self.is_stopping {
            return Err(BridgeError::new(BridgeCode::Stopping));
        }
        let hash = secret::hash(token);
        let id = self.tokens.get(&hash).copied();
        let session = id.and_then(|id| self.sessions.get_mut(&id)).filter(|it| secret::is_same(&it.token, &hash));
        let session = session.ok_or_else(|| BridgeError::new(BridgeCode::SessionGone))?;
        if session.origin != origin {
            return Err(BridgeError::new(BridgeCode::OriginRefused));
        }
        session.seen = now;
        Ok(session.id)
    }
}

/// Whether a URL is a page of the origin: http or https, no credentials, not too long.
pub(super) fn is_of_origin(url: &str, origin: &str) -> bool {
    url.len() <= limits::PAGE_URL_BYTES
        && UrlParts::parse(url)
            .zip(UrlParts::parse(origin))
            .is_some_and(|(page, of)| (page.is_secure, page.host, page.port) == (of.is_secure, of.host, of.port))
}

fn check_body(plugin: &Plugin, body: &OpenPlugin) -> Result<(), BridgeError> {
    let script = plugin.manifest.page_scripts.iter().find(|it| it.id == body.script_id && it.bridge);
    let declared = |id: &String| plugin.operation(id).is_some_and(|it| it.declaration.page_script == body.script_id);
    let message = if script.is_none() {
        "scriptId names no script of the plugin that has bridge: true"
    } else if !body.operations.iter().all(declared) {
        "operations must be those that the manifest declares for the script"
    } else if body.operations.iter().collect::<BTreeSet<_>>().len() < body.operations.len() {
        "operations must hold each id once"
    } else if body.title.chars().count() > limits::TITLE_CHARS {
        "title is too long"
    } else {
        return Ok(());
    };
    Err(BridgeError { message: message.into(), ..BridgeError::new(BridgeCode::InvalidInput) })
}

fn refused() -> BridgeError {
    let mut error = BridgeError::new(BridgeCode::CredentialRefused);
    error.hint = Some("add the plugin to the host again, and give the page the credential it prints".into());
    error
}

/// Too many of something; `wait` is in milliseconds.
pub(super) fn limited(wait: u64) -> BridgeError {
    BridgeError { retry_after_ms: Some(f64_of(wait)), ..BridgeError::new(BridgeCode::RateLimited) }
}
