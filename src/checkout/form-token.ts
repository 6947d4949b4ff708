// The forms' defence against forgery from other sites, without a login or a cookie: a token that only
// we can make, bound to the link and to a day, and the browser's own word on where a request comes from.

import { isEqualSecret, type Keyring } from '../base/keyring.ts';

const tokenTtlMs = 24 * 60 * 60 * 1000;

const messageOf = (code: string, issuedAtMs: number) => `${code}:${issuedAtMs}`;
const shown = (mac: Buffer) => mac.subarray(0, 24).toString('base64url');

/** A token for the forms of one link, good for 24 hours. */
export function issueFormToken(keyring: Keyring, code: string, now: Date): string {
  const mac = keyring.mac('form', messageOf(code, now.getTime()));
  return `${now.getTime().toString(36)}.${shown(mac)}`;
}

/** Whether a token was made by us for this link, not longer than 24 hours ago. */
export function isValidFormToken(keyring: Keyring, code: string, token: string, now: Date): boolean {
  const [, time, mac] = /^([0-9a-z]{1,11})\.([\w-]{32})$/.exec(token) ?? [];
  if (!time || !mac) return false;
  const issuedAtMs = Number.parseInt(time, 36);
  if (issuedAtMs.toString(36) !== time) return false;
  const ageMs = now.getTime() - issuedAtMs;
  const isOurs = keyring
    .goodMacs('form', messageOf(code, issuedAtMs))
    .some((good) => isEqualSecret(mac, shown(good)));
  return isOurs && ageMs >= 0 && ageMs <= tokenTtlMs;
}

/**
 * Whether a post may come from our own page as far as the browser tells (Fetch Metadata). A client
 * that sends no such header, such as a script, is judged by its token alone.
 */
export function isSameSite(secFetchSite: string | string[] | undefined): boolean {
  return secFetchSite === undefined || secFetchSite === 'same-origin' || secFetchSite === 'none';
}
