// Parses the URL of a merchant's endpoint, at its creation and before each use. Pure: it looks no name up. Its errors
// help merchants. The defence against attacks is the check of every resolved address in outbound-lookup.ts.

import { isIP } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from './outbound-address.ts';

export type TargetRules = {
  /** Whether `localhost` and literal loopback addresses are allowed, too. */
  allowsLoopback: boolean;
  isHttpsRequired: boolean;
};

export type Target = {
  url: URL;
  /** A name in ASCII, or an address without brackets. */
  hostname: string;
  port: number;
  isTls: boolean;
};

/** As in a FieldError; the caller names the field. */
export type UrlRefusal = { code: 'wrong_format' | 'too_long' | 'not_allowed'; detail: string };

const maxUrlLength = 2048;
const maxNameLength = 253;
const nameLabel = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Ports from 1024 on of protocols other than HTTP: those that the Fetch standard blocks, and two stores that accept
 * lines of text as commands (Redis, memcached).
 */
const foreignPorts: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679,
  6697, 10080, 11211,
]);

/** The rules of a mode: https only in live mode; loopback only in test mode, if enabled. */
export function rulesFor(mode: 'test' | 'live', settings: { webhooksAllowLoopback: boolean }): TargetRules {
  return {
    allowsLoopback: mode === 'test' && settings.webhooksAllowLoopback,
    isHttpsRequired: mode === 'live',
  };
}

/**
 * The addresses of a host without a lookup: a literal address, and `localhost`, which RFC 6761 excludes from the DNS;
 * null for any other name.
 */
export function literalAddresses(hostname: string): string[] | null {
  if (isIP(hostname) !== 0) return [hostname];
  return /(^|\.)localhost$/.test(hostname) ? ['127.0.0.1', '::1'] : null;
}

/** Whether a literal address is allowed. A resolved one must be public, whatever the rules. */
export function isLiteralAllowed(address: string, rules: TargetRules): boolean {
  return isPublicAddress(address) || (rules.allowsLoopback && isLoopbackAddress(address));
}

/**
 * Ports below 1024 belong to protocols that may take HTTP lines for their own, such as mail. Ports above are the
 * merchant's choice.
 */
function isPortAllowed(port: number): boolean {
  return port === 443 || port === 80 || (port >= 1024 && !foreignPorts.has(port));
}

function isFullName(hostname: string): boolean {
  const labels = hostname.split('.');
  const isLocalhost = labels.at(-1) === 'localhost';
  return (
    (labels.length > 1 || isLocalhost) &&
    hostname.length <= maxNameLength &&
    labels.every((label) => nameLabel.test(label))
  );
}

function refuse(code: UrlRefusal['code'], detail: string): { refusal: UrlRefusal } {
  return { refusal: { code, detail } };
}

/** Parses a URL and checks it as far as possible without a lookup. */
export function readTarget(text: string, rules: TargetRules): { target: Target } | { refusal: UrlRefusal } {
  if (text.length > maxUrlLength)
    return refuse('too_long', `This may have at most ${maxUrlLength} characters.`);
  if (/[\p{C}\p{Z}\\]/u.test(text))
    return refuse('wrong_format', 'This must not have spaces, backslashes or control characters.');
  const url = /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (!url)
    return refuse('wrong_format', 'This must be an absolute URL that begins with https:// or http://.');
  if (url.username || url.password)
    return refuse('not_allowed', 'This must not contain a user name or a password.');
  if (text.includes('#'))
    return refuse('not_allowed', 'This must not have a fragment (#), which is never sent.');
  const isTls = url.protocol === 'https:';
  if (rules.isHttpsRequired && !isTls)
    return refuse('not_allowed', 'In live mode this must begin with https://.');
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(hostname) === 0 && !isFullName(hostname))
    return refuse('wrong_format', 'This must have a full host name, such as hooks.example.com.');
  const port = Number(url.port || (isTls ? 443 : 80));
  if (!isPortAllowed(port))
    return refuse(
      'not_allowed',
      'The port must be 443, 80, or a port from 1024 that is not the standard port of another protocol.',
    );
  return { target: { url, hostname, port, isTls } };
}

const notPublic = 'This must be a server on the public internet, not a private, local or reserved address.';

/** How a developer gets webhooks to a program on an address that Paylink can't reach. */
function testingHint(addresses: readonly string[], rules: TargetRules): string {
  const listen = 'To receive webhooks on your own machine, run "paylink listen --forward-to URL".';
  if (rules.isHttpsRequired || !addresses.every(isLoopbackAddress)) return listen;
  return `${listen} If the program runs on the machine of the service, WEBHOOKS_ALLOW_LOOPBACK=true allows this address in test mode.`;
}

/**
 * Why a URL may not be stored as an endpoint; null if it may. A name can later resolve to an internal address, so this
 * check is only for convenience, and sending checks again.
 */
export function checkEndpointUrl(text: string, rules: TargetRules): UrlRefusal | null {
  const read = readTarget(text, rules);
  if ('refusal' in read) return read.refusal;
  const written = literalAddresses(read.target.hostname) ?? [];
  if (written.every((address) => isLiteralAllowed(address, rules))) return null;
  return { code: 'not_allowed', detail: `${notPublic} ${testingHint(written, rules)}` };
}
