// Which role may do what: one table for the whole API, and one check that names the roles that may.

import type { FastifyRequest } from 'fastify';
import { errors } from '../base/errors.ts';
import { type Principal, principalOf, type Role } from '../http/authentication.ts';

export const roles = ['owner', 'admin', 'developer', 'support', 'viewer'] as const satisfies readonly Role[];

/** The table. docs/api.md shows it, and a test compares the two. */
export const rights = {
  'payments:create': ['owner', 'admin', 'developer', 'support'],
  'payments:read': ['owner', 'admin', 'developer', 'support', 'viewer'],
  'payments:update': ['owner', 'admin', 'developer', 'support'],
  'payments:cancel': ['owner', 'admin', 'developer', 'support'],
  'payments:refund': ['owner', 'admin', 'support'],
  'events:read': ['owner', 'admin', 'developer', 'support', 'viewer'],
  'balances:read': ['owner', 'admin', 'support', 'viewer'],
  'bank:read': ['owner', 'admin', 'support'],
  'bank:manage': ['owner', 'admin', 'support'],
  'exports:read': ['owner', 'admin', 'support'],
  'webhooks:read': ['owner', 'admin', 'developer'],
  'webhooks:manage': ['owner', 'admin', 'developer'],
  'processors:read': ['owner', 'admin', 'developer'],
  'processors:manage': ['owner', 'admin'],
  'keys:read': ['owner', 'admin', 'developer'],
  'keys:manage': ['owner', 'admin', 'developer'],
  'keys:live': ['owner', 'admin'],
  'members:read': ['owner', 'admin'],
  'members:manage': ['owner', 'admin'],
  'company:read': ['owner', 'admin', 'developer', 'support', 'viewer'],
  'company:manage': ['owner', 'admin'],
  'audit:read': ['owner', 'admin'],
} as const satisfies Record<string, readonly Role[]>;

export type Right = keyof typeof rights;

/** Every right that one of the roles has, in the order of the table. */
export function rightsOf(held: readonly Role[]): Right[] {
  const names = Object.keys(rights) as Right[];
  return names.filter((name) => rights[name].some((role) => held.includes(role)));
}

/** Throws `role_not_allowed`, naming the roles that may, unless one of the principal's roles has the right. */
export function requireRight(principal: Principal, right: Right): void {
  const allowed: readonly Role[] = rights[right];
  if (principal.roles.some((role) => allowed.includes(role))) return;
  throw errors.roleNotAllowed({
    detail: `This needs one of the roles ${allowed.join(', ')}; yours: ${principal.roles.join(', ')}.`,
  });
}

/**
 * `requireRight` as a Fastify `onRequest` hook, to stand behind `requireCredentials`: who may not is told so
 * before the body is read and before an Idempotency-Key is looked up, so that no right outlives its role there.
 */
export function checkRight(right: Right) {
  return async (request: FastifyRequest): Promise<void> => requireRight(principalOf(request), right);
}

/** How the audit trail names who called. */
export function actorOf(principal: Pick<Principal, 'accountId'>): string {
  return `account:${principal.accountId}`;
}

/** The account that an actor of the audit trail is; null for one that is no person. */
export function accountOf(actor: string): string | null {
  return actor.startsWith('account:') ? actor.slice('account:'.length) : null;
}
