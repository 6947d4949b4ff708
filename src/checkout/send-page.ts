// Sends a hosted page with its headers: a strict Content-Security-Policy, no caching, no framing.

import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Locale } from '../base/locale.ts';
import type { Html } from '../http/html.ts';

const policyForAll = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
].join('; ');

/** Chromium applies `form-action` also to redirects after a POST: the merchant's two origins and ours, no others. */
export function pagePolicy(formOrigins: readonly string[]): string {
  return [policyForAll, ...new Set(formOrigins)].join(' ');
}

// The origins that a policy can contain. Other text would be read as another directive, or as every host.
const plainOrigin = /^https?:\/\/[a-z0-9._-]+(:\d+)?$/;

/** The part of an absolute URL before its path. */
const authority = /^[^/?#\\]+:\/\/[^/?#\\]+/;

/** A cache: the URLs of a shop's payments share an origin. */
const origins = new LRUCache<string, string>({ max: 1_000 });

function originOf(address: string): string {
  const start = authority.exec(address)?.[0] ?? address;
  const cached = origins.get(start);
  if (cached !== undefined) return cached;
  const { origin } = new URL(start);
  origins.set(start, origin);
  return origin;
}

/** The merchant's two origins and our configured one, which differs from 'self' under another host name. */
export function formOriginsOf(
  payment: { successUrl: string; failureUrl: string },
  baseUrl: string,
): string[] {
  return [payment.successUrl, payment.failureUrl, baseUrl]
    .map(originOf)
    .filter((origin) => plainOrigin.test(origin));
}

export function sendPage(
  reply: FastifyReply,
  page: { html: Html; locale: Locale; status?: number; formOrigins?: readonly string[] },
): FastifyReply {
  // Bytes: a string would be joined twice, for its length and with the headers.
  const body = Buffer.from(page.html.html);
  return reply
    .code(page.status ?? 200)
    .headers({
      'content-security-policy': pagePolicy(page.formOrigins ?? []),
      'content-language': page.locale,
      vary: 'Accept-Language',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    })
    .type('text/html; charset=utf-8')
    .send(body);
}
