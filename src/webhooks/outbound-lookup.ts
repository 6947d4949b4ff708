// Resolves the host of an endpoint to the addresses that may be connected to. Must not return an address that
// it has not checked, nor look a name up twice: the second result may differ.

import { Resolver } from 'node:dns/promises';
import { isPublicAddress } from './outbound-address.ts';
import { isLiteralAllowed, literalAddresses, type Target, type TargetRules } from './outbound-target.ts';

/** All addresses of a name, of both families; none if it has none or no server responded. */
export type Resolve = (name: string) => Promise<string[]>;

export type LookupResult = { addresses: string[] } | { fault: 'blocked_address' | 'dns_failed' };

/**
 * Queries these servers. It uses DNS only, without the machine's own files (/etc/hosts), whose names are
 * internal, and holds no thread while it waits, as getaddrinfo does: a slow server of one merchant must not
 * delay others. One family is enough, because servers that fail on the other are common, and only found
 * addresses are used.
 */
export function resolveWith(resolver: Resolver): Resolve {
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

/** Queries the DNS servers of the system. A fresh resolver notices when these change. */
export const resolveBySystem: Resolve = (name) =>
  resolveWith(new Resolver({ timeout: 1_500, tries: 3, maxTimeout: 3_000 }))(name);

/**
 * The addresses to connect to, in order. If one is not public, all are refused: a name that leads both inside
 * and outside is no mistake to work around. The setting for loopback applies to literal hosts only. A name
 * that is looked up never leads to loopback.
 */
export async function findAddresses(
  target: Target,
  rules: TargetRules,
  resolve: Resolve,
): Promise<LookupResult> {
  const written = literalAddresses(target.hostname);
  if (written?.every((address) => isLiteralAllowed(address, rules))) return { addresses: written };
  if (written) return { fault: 'blocked_address' };
  const addresses = await resolve(target.hostname);
  if (addresses.length === 0) return { fault: 'dns_failed' };
  return addresses.every(isPublicAddress) ? { addresses } : { fault: 'blocked_address' };
}
