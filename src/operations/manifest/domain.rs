//! Which sites a plugin is for: `host` or `*.host`, and which pages of them (Host §2).
//!
//! Public suffixes are told by a small built-in rule, not by the whole list: one label, the usual second level of a
//! country (`co.uk`, `com.cn`), and the hosting suffixes below. It keeps a plugin from asking for everybody's sites
//! by accident; it is no boundary against a plugin's author, whom the person trusts with the sites it names.

use crate::wire::manifest::MatchRule;

/// Second levels under which countries register names.
const SECOND_LEVELS: &[&str] = &["ac", "co", "com", "edu", "go", "gob", "gov", "gv", "mil", "ne", "net", "or", "org"];

/// Suffixes under which everybody can have a site.
const HOSTED: &[&str] = &[
    "amazonaws.com",
    "appspot.com",
    "azurewebsites.net",
    "blogspot.com",
    "cloudfront.net",
    "firebaseapp.com",
    "fly.dev",
    "github.io",
    "gitee.io",
    "gitlab.io",
    "glitch.me",
    "herokuapp.com",
    "netlify.app",
    "ngrok.io",
    "onrender.com",
    "pages.dev",
    "surge.sh",
    "vercel.app",
    "web.app",
    "workers.dev",
];

/// Why `text` is no domain, when it is none. `localhost` and names below it are, while developing.
#[must_use]
pub fn domain_fault(text: &str, is_dev: bool) -> Option<&'static str> {
    let host = text.strip_prefix("*.").unwrap_or(text);
    if host == "localhost" || host.ends_with(".localhost") {
        return (!is_dev).then_some("is only possible with --dev");
    }
    if host.contains('*') {
        return Some("must be a host, or *. and a host");
    }
    if host.len() > 253 || !host.split('.').all(is_label) {
        return Some("must be a lower-case host name without scheme, port and path");
    }
    let last = host.rsplit('.').next().unwrap_or_default();
    if last.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some("must not be an IP address");
    }
    is_public_suffix(host).then_some("must not be a public suffix")
}

fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
}

fn is_public_suffix(host: &str) -> bool {
    let Some((first, rest)) = host.split_once('.') else { return true };
    HOSTED.contains(&host) || (rest.len() == 2 && SECOND_LEVELS.contains(&first))
}

/// Whether a domain, exact or `*.`, covers a host. `*.host` covers what is below the host, not the host itself.
#[must_use]
pub fn covers(domain: &str, host: &str) -> bool {
    match domain.strip_prefix('*') {
        Some(suffix) => host.len() > suffix.len() && host.ends_with(suffix),
        None => domain == host,
    }
}

/// Whether every host of a rule is one of the domains.
pub(super) fn is_inside(rule_host: &str, domains: &[String]) -> bool {
    let host = rule_host.strip_prefix('*').unwrap_or(rule_host);
    let is_wild = host.len() < rule_host.len();
    domains.iter().any(|domain| match (domain.strip_prefix('*'), is_wild) {
        (Some(suffix), true) => host == suffix || host.ends_with(suffix),
        (None, true) => false,
        (_, false) => covers(domain, host),
    })
}

/// A page's URL, taken apart: `http` or `https`, without credentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UrlParts<'a> {
    /// Whether it is `https`.
    pub is_secure: bool,
    /// The host, in lower case as browsers write it.
    pub host: &'a str,
    /// The port, when it is not the scheme's default.
    pub port: Option<u16>,
    /// The path, from `/` on, without query and fragment.
    pub path: &'a str,
}

impl<'a> UrlParts<'a> {
    /// Takes a URL apart, as browsers write it; `None` for other schemes and for one with credentials.
    #[must_use]
    pub fn parse(url: &'a str) -> Option<Self> {
        let (is_secure, rest) = match (url.strip_prefix("https://"), url.strip_prefix("http://")) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => return None,
        };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let path = path.split(['?', '#']).next().filter(|path| !path.is_empty()).unwrap_or("/");
        let host_end = authority.rfind(']').map_or(0, |bracket| bracket + 1);
        let (host, port) = match authority[host_end..].find(':') {
            Some(colon) => (&authority[..host_end + colon], Some(authority[host_end + colon + 1..].parse().ok()?)),
            None => (authority, None),
        };
        if host.is_empty() || host.contains(['@', '\\']) || host.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return None;
        }
        let default = if is_secure { 443 } else { 80 };
        Some(Self { is_secure, host, port: port.filter(|port| *port != default), path })
    }
}

impl MatchRule {
    /// Whether a page is one of these. Without a port in the rule it must be the default one, except on `localhost`.
    #[must_use]
    pub fn matches(&self, url: UrlParts<'_>) -> bool {
        let (host, port) = split_port(&self.host);
        let is_local = url.host == "localhost" || url.host.ends_with(".localhost");
        let is_port = match port {
            Some(port) => url.port.unwrap_or(if url.is_secure { 443 } else { 80 }) == port,
            None => url.port.is_none() || is_local,
        };
        let is_path = match &self.path {
            None => true,
            Some(path) => match path.strip_suffix('*') {
                Some(prefix) => url.path.starts_with(prefix),
                None => path == url.path,
            },
        };
        is_port && is_path && covers(host, url.host)
    }
}

/// A rule's host without and with its port; a port that is none stays with the host, which is then no domain.
pub(super) fn split_port(host: &str) -> (&str, Option<u16>) {
    match host.split_once(':') {
        Some((name, port)) => match port.parse() {
            Ok(port) if port > 0 => (name, Some(port)),
            _ => (host, None),
        },
        None => (host, None),
    }
}

/// Whether a page is one of these; no rules are no restriction.
#[must_use]
pub fn matches_any(rules: &[MatchRule], url: UrlParts<'_>) -> bool {
    rules.is_empty() || rules.iter().any(|rule| rule.matches(url))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_a_host_of_somebody() {
        let fine = ["example.com", "*.example.com", "a.b.example.co.uk", "xn--fsq.example", "shop.github.io"];
        let wrong = [
            "",
            "com",
            "*.com",
            "*",
            "*.*.example.com",
            "Example.com",
            "example.com:80",
            "https://example.com",
            "example.com/",
            "192.168.0.1",
            "*.0.0.1",
            "[::1]",
            "co.uk",
            "*.com.cn",
            "github.io",
            "*.github.io",
            "-a.example",
            "a..example",
            "localhost",
            "*.localhost",
        ];
        for domain in fine {
            assert_eq!(domain_fault(domain, false), None, "{domain}");
        }
        for domain in wrong {
            assert!(domain_fault(domain, false).is_some(), "{domain}");
        }
        assert_eq!(domain_fault("localhost", true), None);
        assert_eq!(domain_fault("*.localhost", true), None);
    }

    #[test]
    fn a_rule_must_stay_inside_the_domains() {
        let domains = ["example.com".to_owned(), "*.example.org".to_owned()];
        for (host, expected) in [
            ("example.com", true),
            ("www.example.com", false),
            ("*.example.com", false),
            ("example.org", false),
            ("a.example.org", true),
            ("*.example.org", true),
            ("*.a.example.org", true),
            ("*.org", false),
            ("badexample.org", false),
        ] {
            assert_eq!(is_inside(host, &domains), expected, "{host}");
        }
    }

    #[test]
    fn a_rule_matches_pages_by_host_port_and_path() {
        let cases = [
            ("example.com", None, "https://example.com/a?b#c", true),
            ("example.com", None, "https://example.com", true),
            ("example.com", None, "https://example.com:443/", true),
            ("example.com", None, "https://example.com:8443/", false),
            ("example.com:8443", None, "https://example.com:8443/", true),
            ("example.com:8443", None, "https://example.com/", false),
            ("example.com:443", None, "https://example.com/", true),
            ("*.example.com", None, "https://example.com/", false),
            ("*.example.com", None, "http://a.b.example.com/", true),
            ("example.com", Some("/a"), "https://example.com/a?x", true),
            ("example.com", Some("/a"), "https://example.com/ab", false),
            ("example.com", Some("/a*"), "https://example.com/ab", true),
            ("example.com", Some("/a/*"), "https://example.com/a", false),
            ("localhost", None, "http://localhost:5173/", true),
            ("*.localhost", None, "http://shop.localhost:5173/", true),
        ];
        for (host, path, url, expected) in cases {
            let rule = MatchRule { host: host.into(), path: path.map(str::to_owned) };
            assert_eq!(rule.matches(UrlParts::parse(url).expect("a URL")), expected, "{host} {path:?} {url}");
        }
        for url in ["ftp://example.com/", "https://a@example.com/", "https://", "https://example.com:x/", "about:blank"]
        {
            assert_eq!(UrlParts::parse(url), None, "{url}");
        }
    }
}
