// The rights of each role: one table for the whole API, and one check that names the allowed roles.

import type { FastifyRequest } from 'fastify';
import { errors } from '../base/errors.ts';
import { type Principal, principalOf, type Role } from './authentication.ts';

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

/** In the order of the table. */
export function rightsOf(held: readonly Role[]): Right[] {
  const names = Object.keys(rights) as Right[];
  return names.filter((name) => hasRight(held, name));
}

/** Whether one of the roles has the right. */
export function hasRight(held: readonly Role[], right: Right): boolean {
  const allowed: readonly Role[] = rights[right];
  return held.some((role) => allowed.includes(role));
}

/** Throws `role_not_allowed`, with the allowed roles, unless one of the principal's roles has the right. */
export function requireRight(principal: Pick<Principal, 'roles'>, right: Right): void {
  if (hasRight(principal.roles, right)) return;
  throw errors.roleNotAllowed({
    detail: `This call needs one of the roles ${rights[right].join(', ')}. Your roles: ${principal.roles.join(', ')}.`,
  });
}

/** For `onRequest`: before an Idempotency-Key is looked up, so that no stored response outlives the role. */
export function checkRight(right: Right) {
  return async (request: FastifyRequest): Promise<void> => requireRight(principalOf(request), right);
}

/** Throws `mode_not_allowed` when a call asks explicitly for the other mode than that of its credentials. */
export function requireOwnMode(principal: Pick<Principal, 'mode'>, asked: string | undefined): void {
  if (asked === undefined || asked === principal.mode) return;
  throw errors.modeNotAllowed({
    detail:
      `These credentials are of ${principal.mode} mode and cannot access ${asked} mode. Omit mode, or use ` +
      `an API key of ${asked} mode; a call with a cookie sets its mode in X-Paylink-Mode.`,
  });
}

/** The caller's name in the audit log. */
export function actorOf(principal: Pick<Principal, 'accountId'>): string {
  return `account:${principal.accountId}`;
}

/** The account of an actor in the audit log; null for an actor that is not a person. */
export function accountOf(actor: string): string | null {
  return actor.startsWith('account:') ? actor.slice('account:'.length) : null;
}
