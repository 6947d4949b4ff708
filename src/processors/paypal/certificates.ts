// The certificates for PayPal's webhook signatures, fetched from PayPal and cached in memory. A forged
// webhook may name any address. Must not: fetch from a host that is not PayPal's own for such certificates.

import { type KeyObject, X509Certificate } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import { createExpiringSet } from '../../base/expiring-set.ts';
import { callForText } from '../call-api.ts';
import type { Mode, ProcessorWebhookRequest } from '../processor.ts';

/** Only these hosts and the paths below: another PayPal host might serve uploads of users. */
const hosts: Readonly<Record<Mode, readonly string[]>> = {
  test: ['https://api.sandbox.paypal.com', 'https://api-m.sandbox.paypal.com'],
  live: ['https://api.paypal.com', 'https://api-m.paypal.com'],
};
const certificatePath = /^\/v1\/notifications\/certs\/CERT-[A-Za-z0-9-]{1,80}$/;

/** PayPal uses a few at a time; a forger must not fill the memory with more. */
const maxCached = 8;

/** How long to cache that an address has no usable certificate, and for how many addresses. */
const missLifeMs = 10 * 60 * 1000;
const rememberedMisses = 1_000;

const minModulusBits = 2048;

export type Certificates = {
  /** The key, or why it is unusable; `deferred`: `mayAsk` does not allow the fetch. Throws without a response. */
  find(
    certUrl: string,
    context: { mode: Mode } & Pick<ProcessorWebhookRequest, 'now' | 'mayAsk'>,
    signal: AbortSignal,
  ): Promise<KeyObject | { fault: string } | 'deferred'>;
};

/** The address of a certificate if it may be fetched, else null. */
export function checkCertificateUrl(certUrl: string, mode: Mode, apiUrl: string | null): string | null {
  const url = URL.parse(certUrl);
  if (!url || url.username || url.password || url.search || url.hash) return null;
  const origins = apiUrl ? [new URL(apiUrl).origin] : hosts[mode];
  return origins.includes(url.origin) && certificatePath.test(url.pathname) ? url.href : null;
}

/**
 * Checks a certificate: it is valid today, is issued to PayPal, and has an RSA key of sufficient length.
 * Neither the issuer nor revocation is checked: the TLS connection of the fetch proves that it comes from
 * PayPal.
 */
function checkCertificate(certificate: X509Certificate, now: Date): string | null {
  if (now < certificate.validFromDate || now > certificate.validToDate)
    return 'the certificate is not valid at this time';
  if (!/^CN=([a-z0-9-]+\.)+paypal\.com$/m.test(certificate.subject))
    return 'the certificate is not issued to PayPal';
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  const isSupported =
    asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= minModulusBits;
  return isSupported ? null : 'the certificate has an unsupported key';
}

function parse(text: string): X509Certificate | null {
  try {
    return new X509Certificate(text);
  } catch {
    return null;
  }
}

async function fetchCertificate(
  url: string,
  signal: AbortSignal,
): Promise<X509Certificate | { fault: string }> {
  const { status, text } = await callForText({ method: 'GET', url, headers: {} }, signal);
  if (status === 404) return { fault: 'PayPal has no such certificate' };
  if (status !== 200) throw new Error(`PayPal returned no certificate, but status ${status}`);
  return parse(text) ?? { fault: 'PayPal returned something other than a certificate' };
}

export function createCertificates({ apiUrl, clock }: { apiUrl: string | null; clock: Clock }): Certificates {
  const cached = new LRUCache<string, X509Certificate>({ max: maxCached });
  const misses = createExpiringSet(clock, { lifeMs: missLifeMs, most: rememberedMisses });
  const faults = new LRUCache<string, string>({ max: rememberedMisses });
  const inProgress = new Map<string, ReturnType<typeof fetchCertificate>>();
  const fetchOnce = (url: string, signal: AbortSignal) => {
    const fetched = fetchCertificate(url, signal).finally(() => inProgress.delete(url));
    inProgress.set(url, fetched);
    return fetched;
  };
  return {
    find: async (certUrl, { mode, now, mayAsk }, signal) => {
      const url = checkCertificateUrl(certUrl, mode, apiUrl);
      if (!url) return { fault: 'the certificate address is not one of PayPal' };
      const fault = misses.has(url) ? faults.get(url) : undefined;
      if (fault !== undefined) return { fault };
      const existing = cached.get(url);
      // Concurrent webhooks share one call.
      const known = existing ?? inProgress.get(url);
      if (!known && !mayAsk()) return 'deferred';
      const certificate = await (known ?? fetchOnce(url, signal));
      const found = 'fault' in certificate ? certificate.fault : checkCertificate(certificate, now);
      if ('fault' in certificate || found !== null) {
        if (!existing) {
          misses.add(url);
          faults.set(url, found ?? '');
        }
        return { fault: found ?? '' };
      }
      cached.set(url, certificate);
      return certificate.publicKey;
    },
  };
}
