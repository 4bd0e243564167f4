// Ids nobody can guess, on insecure origins too.

/** 128 random bits as 32 hexadecimal digits. */
export function randomId(): string {
  // `crypto.randomUUID` exists in secure contexts only.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
