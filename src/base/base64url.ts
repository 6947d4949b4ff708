// Base64url (RFC 4648 section 5) in canonical form: no padding, no other alphabet, and no stray bits in the
// last character. A lenient decoder would accept several texts for one token or cursor.

/** Matches canonical base64url, including the empty text; for schemas. It takes linear time. */
export const base64urlPattern =
  '^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$';

const canonical = new RegExp(base64urlPattern);

export function isBase64url(text: string): boolean {
  return canonical.test(text);
}

export function decodeBase64url(text: string): Buffer | null {
  return isBase64url(text) ? Buffer.from(text, 'base64url') : null;
}
