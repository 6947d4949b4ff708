// The form of merchants' web addresses. Pure.

/** A name or an IPv4 address: in a Content-Security-Policy other characters have a meaning. */
export function isPlainHost(hostname: string): boolean {
  return /^[a-z0-9._-]+$/.test(hostname);
}
