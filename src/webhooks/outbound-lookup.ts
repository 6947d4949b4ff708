// From the host of an endpoint to the very addresses that may be connected to. Must never give out an
// address that it has not checked, nor look a name up twice: the second answer may be another.

import { Resolver } from 'node:dns/promises';
import { isPublicAddress } from './outbound-address.ts';
import { isLiteralAllowed, literalAddresses, type Target, type TargetRules } from './outbound-target.ts';

/** All addresses of a name, of both families; none when it has none or nobody could be asked. */
export type Resolve = (name: string) => Promise<string[]>;

export type LookupResult = { addresses: string[] } | { fault: 'blocked_address' | 'dns_failed' };

/**
 * Asks these servers. It asks the DNS alone, not the machine's own files (/etc/hosts), whose names
 * are of the inside, and holds no thread while it waits, as getaddrinfo does: a slow server of one
 * merchant's must not keep others waiting. One family is enough, since servers that break on the
 * other are common, and nothing but what was found is connected to.
 */
export function resolveWith(resolver: Resolver): Resolve {
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

/** Asks the servers that the machine is set to. A fresh resolver notices when these change. */
export const resolveBySystem: Resolve = (name) =>
  resolveWith(new Resolver({ timeout: 1_500, tries: 3, maxTimeout: 3_000 }))(name);

/**
 * The addresses to connect to, in order. One that is not public bars them all: a name that leads
 * inside and outside is not a mistake to work around. The setting for loopback is for hosts that say
 * so themselves; a name that is looked up never leads there.
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
