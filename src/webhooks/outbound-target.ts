// Reads the address of a merchant's endpoint, when it is created and each time before it is used. Pure:
// it looks no name up. Its refusals are for merchants; what holds attacks off is the check of every
// looked-up address in outbound-lookup.ts.

import { isIP } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from './outbound-address.ts';

export type TargetRules = {
  /** Whether `localhost` and literal loopback addresses are receivers, too. */
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
 * Ports from 1024 on that other protocols than HTTP hold: those that the Fetch standard blocks, and
 * two stores that take lines of text as commands (Redis, memcached).
 */
const foreignPorts: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679,
  6697, 10080, 11211,
]);

/** What a merchant in a mode may name: https alone when live; loopback only in test mode, if set. */
export function rulesFor(mode: 'test' | 'live', settings: { webhooksAllowLoopback: boolean }): TargetRules {
  return {
    allowsLoopback: mode === 'test' && settings.webhooksAllowLoopback,
    isHttpsRequired: mode === 'live',
  };
}

/**
 * The addresses of a host that no look-up is needed for: those of a literal address and of
 * `localhost`, which RFC 6761 keeps from the DNS; null for any other name.
 */
export function literalAddresses(hostname: string): string[] | null {
  if (isIP(hostname) !== 0) return [hostname];
  return /(^|\.)localhost$/.test(hostname) ? ['127.0.0.1', '::1'] : null;
}

/** Whether a written address may be sent to. A looked-up one has to be public, whatever the rules. */
export function isLiteralAllowed(address: string, rules: TargetRules): boolean {
  return isPublicAddress(address) || (rules.allowsLoopback && isLoopbackAddress(address));
}

/**
 * Below 1024, ports belong to protocols that may take our lines for theirs, such as mail; above, to
 * whoever opens them, so that a merchant's own choice is taken.
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

/** Reads an address as far as it can be judged by itself; which hosts are public is not asked here. */
export function readTarget(text: string, rules: TargetRules): { target: Target } | { refusal: UrlRefusal } {
  if (text.length > maxUrlLength)
    return refuse('too_long', `This may have at most ${maxUrlLength} characters.`);
  if (/[\p{C}\p{Z}\\]/u.test(text))
    return refuse('wrong_format', 'This must not have spaces, backslashes or control characters.');
  const url = /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (!url)
    return refuse('wrong_format', 'This must be an absolute address that opens with https:// or http://.');
  if (url.username || url.password)
    return refuse('not_allowed', 'This must not carry a user name or a password.');
  if (text.includes('#'))
    return refuse('not_allowed', 'This must not have a part after #: it is never sent.');
  const isTls = url.protocol === 'https:';
  if (rules.isHttpsRequired && !isTls)
    return refuse('not_allowed', 'In live mode this must open with https://.');
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(hostname) === 0 && !isFullName(hostname))
    return refuse('wrong_format', 'This must have a full host name, such as hooks.example.com.');
  const port = Number(url.port || (isTls ? 443 : 80));
  if (!isPortAllowed(port))
    return refuse(
      'not_allowed',
      'This must have port 443, 80, or one from 1024 on that is not for mail or the like.',
    );
  return { target: { url, hostname, port, isTls } };
}

const notPublic = 'This must be a server on the public internet, not a private, local or reserved address.';

/** How a developer gets webhooks to a program that only this address reaches. */
function testingHint(addresses: readonly string[], rules: TargetRules): string {
  const listen = 'To receive webhooks on your own machine, run "paylink listen --forward-to URL".';
  if (rules.isHttpsRequired || !addresses.every(isLoopbackAddress)) return listen;
  return `${listen} If the program runs on the machine of the service, WEBHOOKS_ALLOW_LOOPBACK=true allows this address in test mode.`;
}

/**
 * Whether an address may be stored as an endpoint; null when it may. A name can lead inside later on,
 * so this is a courtesy, and sending checks again.
 */
export function checkEndpointUrl(text: string, rules: TargetRules): UrlRefusal | null {
  const read = readTarget(text, rules);
  if ('refusal' in read) return read.refusal;
  const written = literalAddresses(read.target.hostname) ?? [];
  if (written.every((address) => isLiteralAllowed(address, rules))) return null;
  return { code: 'not_allowed', detail: `${notPublic} ${testingHint(written, rules)}` };
}
