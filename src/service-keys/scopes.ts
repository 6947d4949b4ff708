// The scopes that a request names: rights, and groups of rights in their place.

import type { AccountPrincipal } from '../http/authentication.ts';
import { requireRight, type ServiceKeyScope, serviceKeyScopes } from '../http/roles.ts';

const isPayments = (scope: ServiceKeyScope) => scope.startsWith('payments:');
const isRead = (scope: ServiceKeyScope) => scope.endsWith(':read');

/** Short ways to name several scopes. A key has the rights themselves: it does not get those of a later version. */
export const scopeGroups = {
  payments: serviceKeyScopes.filter(isPayments),
  read: serviceKeyScopes.filter(isRead),
} as const satisfies Record<string, readonly ServiceKeyScope[]>;

export const scopeNames = [
  ...(Object.keys(scopeGroups) as (keyof typeof scopeGroups)[]),
  ...serviceKeyScopes,
] as const;
export type ScopeName = (typeof scopeNames)[number];

const isGroup = (name: ScopeName): name is keyof typeof scopeGroups => Object.hasOwn(scopeGroups, name);

/** The rights of the names, each once, in the order of the table of rights. */
export function expandScopes(names: readonly ScopeName[]): ServiceKeyScope[] {
  const wanted = new Set<ServiceKeyScope>(
    names.flatMap((name) => (isGroup(name) ? scopeGroups[name] : [name])),
  );
  return serviceKeyScopes.filter((scope) => wanted.has(scope));
}

/** Whoever holds a key's secret has its rights, so nobody may get one with rights beyond their own role. */
export function requireGrantable(
  caller: AccountPrincipal,
  key: { mode: 'test' | 'live'; scopes: readonly ServiceKeyScope[] },
): void {
  if (key.mode === 'live') requireRight(caller, 'keys:live');
  for (const scope of key.scopes) requireRight(caller, scope);
}
