// The form of merchants' web addresses. Pure.

/**
 * Whether a host is a name or an IPv4 address. It goes into the pages' Content-Security-Policy, where other
 * characters have a meaning.
 */
export function isPlainHost(hostname: string): boolean {
  return /^[a-z0-9._-]+$/.test(hostname);
}
