//! Who may knock: `Host` and `Origin`, before anything else is read (Host §3, §11).

use super::{Doors, reply};
use crate::execution::limits;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use pageport::operations::manifest::UrlParts;

/// Refuses requests for other names: a site whose name was pointed at this machine must get nowhere.
pub(super) async fn check_host(State(doors): State<Doors>, request: Request, next: Next) -> Response {
    let host = single(request.headers(), &header::HOST);
    if !host.is_some_and(|host| is_own_host(host, doors.port)) {
        return reply::stranger("this host does not answer to that name");
    }
    next.run(request).await
}

/// Whether a `Host` names this host: `127.0.0.1 localhost [::1] s<0–63>.localhost`, with our port.
pub(super) fn is_own_host(host: &str, port: u16) -> bool {
    let name = match host.strip_suffix(&port.to_string()).and_then(|name| name.strip_suffix(':')) {
        Some(name) => name,
        None if port == 80 => host,
        None => return false,
    };
    let is_shard = |digits: &str| {
        let number = digits.parse::<u32>().ok().filter(|number| *number < limits::SHARDS);
        number.is_some_and(|number| number.to_string() == digits)
    };
    matches!(name, "127.0.0.1" | "localhost" | "[::1]")
        || name.strip_suffix(".localhost").and_then(|label| label.strip_prefix('s')).is_some_and(is_shard)
}

/// The page's origin, when the request has exactly one that a page can have.
pub(super) fn page_origin(headers: &HeaderMap) -> Option<&str> {
    single(headers, &header::ORIGIN).filter(|origin| is_origin(origin))
}

/// Whether a page can have this origin: http or https, spelled as browsers do.
#[must_use]
pub fn is_origin(text: &str) -> bool {
    UrlParts::parse(text).is_some_and(|url| {
        let scheme = if url.is_secure { "https" } else { "http" };
        let port = url.port.map(|port| format!(":{port}")).unwrap_or_default();
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._[]:".contains(&byte);
        text == format!("{scheme}://{}{port}", url.host) && url.host.bytes().all(is_plain)
    })
}

/// Whether a request outside the bridge comes from no page, or from the host's own.
pub(super) fn is_own_origin(headers: &HeaderMap) -> bool {
    if !headers.contains_key(header::ORIGIN) {
        return true;
    }
    let host = single(headers, &header::HOST).unwrap_or_default();
    single(headers, &header::ORIGIN).and_then(|origin| origin.strip_prefix("http://")) == Some(host)
}

/// The bearer token.
pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    single(headers, &header::AUTHORIZATION)?.strip_prefix("Bearer ")
}

/// Lets the page read the reply; it is never stored, but `no-store` would keep the page out of the back-forward cache.
pub(super) fn let_read(mut response: Response, origin: &str) -> Response {
    let headers = response.headers_mut();
    if let Ok(origin) = HeaderValue::from_str(origin) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    headers.insert(header::VARY, HeaderValue::from_static("Origin"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// The value of a header that occurs once.
fn single<'h>(headers: &'h HeaderMap, name: &header::HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    if values.next().is_some() { None } else { first.to_str().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_hosts_own_names_are_answered() {
        let own = ["127.0.0.1:47317", "localhost:47317", "[::1]:47317", "s0.localhost:47317", "s63.localhost:47317"];
        for host in own {
            assert!(is_own_host(host, 47317), "{host}");
        }
        let strange = [
            "127.0.0.1",
            "127.0.0.1:47318",
            "evil.example:47317",
            "s64.localhost:47317",
            "s00.localhost:47317",
            "s.localhost:47317",
            "s+1.localhost:47317",
            "x.localhost:47317",
            "s1.s1.localhost:47317",
            "",
        ];
        for host in strange {
            assert!(!is_own_host(host, 47317), "{host}");
        }
        assert!(is_own_host("localhost", 80), "the default port is left out");
    }

    #[test]
    fn a_page_has_one_plain_origin() {
        let origin = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ORIGIN, HeaderValue::from_static(value));
            page_origin(&headers).is_some()
        };
        for value in ["https://shop.example", "http://localhost:3000", "http://[::1]:8080"] {
            assert!(origin(value), "{value}");
        }
        for value in [
            "null",
            "",
            "https://",
            "file://",
            "https://a.example/",
            "https://a.example/b",
            "https://u@a.example",
            "https://a.example?x",
            "chrome-extension://abc",
            "https://A.example",
            "https://a.example#x",
            "https://a.example:443",
            "http://a.example:080",
            "https://a b",
        ] {
            assert!(!origin(value), "{value}");
        }
        assert!(page_origin(&HeaderMap::new()).is_none());
    }
}
