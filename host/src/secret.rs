//! Random bytes, their text, their hashes, and comparisons that take the same time for every answer.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Bytes of a SHA-256.
pub type Hash = [u8; 32];

/// Random bytes of the operating system.
///
/// # Panics
///
/// When the operating system has none; nothing safe can be done then.
#[must_use]
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// A secret of 256 bits: 43 characters base64url.
#[must_use]
pub fn token() -> String {
    base64url(&random::<32>())
}

/// A random name: 32 hex digits.
#[must_use]
pub fn name() -> String {
    hex(&random::<16>())
}

/// What is kept of a secret.
#[must_use]
pub fn hash(secret: &str) -> Hash {
    Sha256::digest(secret.as_bytes()).into()
}

/// Whether two hashes are equal, in constant time.
#[must_use]
pub fn is_same(one: &[u8], other: &[u8]) -> bool {
    one.ct_eq(other).into()
}

/// The proof that somebody knows the token: hex HMAC-SHA-256(token, nonce) (Host §1).
#[must_use]
pub fn proof(token: &str, nonce: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(token.as_bytes()).expect("a key of any length is fine");
    mac.update(nonce.as_bytes());
    hex(&mac.finalize().into_bytes())
}

/// A hash that only who has the key can make: HMAC-SHA-256.
#[must_use]
pub fn keyed(key: &Hash, text: &str) -> Hash {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length is fine");
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().into()
}

/// Lower-case hex.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
    digits.map(char::from).collect()
}

/// Base64url without padding.
fn base64url(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..=chunk.len() {
            text.push(char::from(DIGITS[(word >> (18 - 6 * at)) as usize & 63]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_those_of_the_standards() {
        for (bytes, text) in [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64url(bytes.as_bytes()), text, "{bytes}");
        }
        assert_eq!(base64url(&[0xfb, 0xff]), "-_8");
        assert_eq!(token().len(), 43);
        assert_eq!(
            proof("key", "The quick brown fox jumps over the lazy dog"),
            "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"
        );
    }
}
