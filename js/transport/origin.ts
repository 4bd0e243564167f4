// What counts as an exact origin.

/**
 * Whether `text` is an origin just as the browser writes it: scheme, host, a port that is not the default one, nothing else.
 * `"null"` and `"*"` are not.
 */
export function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\\*\s]+$/.test(text)) return false;
  try {
    const { origin } = new URL(text);
    // The browser calls the origin of schemes it does not know (`app://…` of a shell) opaque; the shell vouches for those.
    return origin === text || origin === "null";
  } catch {
    return false;
  }
}
