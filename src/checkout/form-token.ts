// Protects forms against cross-site requests without a cookie: a token for a link, and Fetch Metadata.

import { isEqualSecret, type Keyring } from '../base/keyring.ts';

const tokenTtlMs = 24 * 60 * 60 * 1000;

const messageOf = (code: string, issuedAtMs: number) => `${code}:${issuedAtMs}`;
const encodeMac = (mac: Buffer) => mac.subarray(0, 24).toString('base64url');

/** Valid for 24 hours. */
export function issueFormToken(keyring: Keyring, code: string, now: Date): string {
  const mac = keyring.mac('form', messageOf(code, now.getTime()));
  return `${now.getTime().toString(36)}.${encodeMac(mac)}`;
}

type ReadToken = { issuedAtMs: number; mac: string };

function readToken(token: string): ReadToken | null {
  const [, time, mac] = /^([0-9a-z]{1,11})\.([\w-]{32})$/.exec(token) ?? [];
  if (!time || !mac) return null;
  const issuedAtMs = Number.parseInt(time, 36);
  return issuedAtMs.toString(36) === time ? { issuedAtMs, mac } : null;
}

/** When the form of a valid token was shown. */
export function issueTimeOf(token: string): number {
  return readToken(token)?.issuedAtMs ?? 0;
}

/** Whether Paylink made the token for this link within the last 24 hours. */
export function isValidFormToken(keyring: Keyring, code: string, token: string, now: Date): boolean {
  const read = readToken(token);
  if (!read) return false;
  const { issuedAtMs, mac } = read;
  const ageMs = now.getTime() - issuedAtMs;
  const isOurs = keyring
    .acceptedMacs('form', messageOf(code, issuedAtMs))
    .some((good) => isEqualSecret(mac, encodeMac(good)));
  return isOurs && ageMs >= 0 && ageMs <= tokenTtlMs;
}

/** By Fetch Metadata. For a client without this header, such as a script, only the token counts. */
export function isSameSite(secFetchSite: string | string[] | undefined): boolean {
  return secFetchSite === undefined || secFetchSite === 'same-origin' || secFetchSite === 'none';
}
