// Base64url (RFC 4648 section 5) in the one form that we write it: no padding, no other alphabet, and no stray bits
// in the last character. With lenient decoders several texts stand for the same token or cursor.

/** Matches canonical base64url, the empty text included; for schemas. It takes linear time. */
export const base64urlPattern =
  '^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$';

const canonical = new RegExp(base64urlPattern);

/** Whether a text is canonical base64url. */
export function isBase64url(text: string): boolean {
  return canonical.test(text);
}

/** The bytes of a canonical text; null for any other. */
export function decodeBase64url(text: string): Buffer | null {
  return isBase64url(text) ? Buffer.from(text, 'base64url') : null;
}
