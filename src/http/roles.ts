// The rights of each role, and those that a service key may have: one table for the whole API, and one check that names
// what is missing.

import type { FastifyRequest } from 'fastify';
import { errors } from '../base/errors.ts';
import {
  type AccountPrincipal,
  accountPrincipalOf,
  type Principal,
  principalOf,
  type Role,
  type ServiceKeyPrincipal,
} from './authentication.ts';

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
  'requests:read': ['owner', 'admin', 'developer'],
} as const satisfies Record<string, readonly Role[]>;

export type Right = keyof typeof rights;

/**
 * The rights that a service key may have as its scopes. Left out is what decides who may act and where money goes: keys,
 * members, the company, its processors and its bank account. The database holds the same list (service_keys_scopes).
 */
export const serviceKeyScopes = [
  'payments:create',
  'payments:read',
  'payments:update',
  'payments:cancel',
  'payments:refund',
  'events:read',
  'balances:read',
  'bank:read',
  'exports:read',
  'webhooks:read',
  'webhooks:manage',
  'processors:read',
  'company:read',
  'audit:read',
  'requests:read',
] as const satisfies readonly Right[];
export type ServiceKeyScope = (typeof serviceKeyScopes)[number];

export function isServiceKeyScope(right: string | null): right is ServiceKeyScope {
  return (serviceKeyScopes as readonly (string | null)[]).includes(right);
}

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

/** What the caller may do: the rights of its roles, or the scopes of the service key. */
export function heldRights(caller: Entitled): string[] {
  return 'scopes' in caller ? [...caller.scopes] : rightsOf(caller.roles);
}

type Entitled = Pick<AccountPrincipal, 'roles'> | Pick<ServiceKeyPrincipal, 'scopes'>;

/** Whether the caller has the right, by a role or as a scope of the service key. */
export function isEntitled(caller: Entitled, right: Right): boolean {
  return 'scopes' in caller ? caller.scopes.includes(right) : hasRight(caller.roles, right);
}

/**
 * Throws unless the caller has the right: `role_not_allowed` with the allowed roles, `scope_not_allowed` with the needed
 * scope, or `service_key_not_allowed` if no service key can have it.
 */
export function requireRight(caller: Entitled, right: Right): void {
  if (isEntitled(caller, right)) return;
  if (!('scopes' in caller))
    throw errors.roleNotAllowed({
      detail: `This call needs one of the roles ${rights[right].join(', ')}. Your roles: ${caller.roles.join(', ')}.`,
    });
  if (!isServiceKeyScope(right)) throw errors.serviceKeyNotAllowed();
  throw errors.scopeNotAllowed({
    detail: `This call needs a service key with the scope ${right}. The scopes of this key: ${caller.scopes.join(', ')}.`,
  });
}

/** For `onRequest`: before an Idempotency-Key is looked up, so that no stored response outlives the role. */
export function checkRight(right: Right) {
  return async (request: FastifyRequest): Promise<void> => requireRight(principalOf(request), right);
}

/** For `onRequest` of routes about a person, such as a password or a session. */
export async function refuseServiceKeys(request: FastifyRequest): Promise<void> {
  accountPrincipalOf(request);
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

/** An account, or a service key. */
export type Caller = Pick<AccountPrincipal, 'accountId'> | Pick<ServiceKeyPrincipal, 'serviceKeyId'>;

/** The caller's name in the audit log. */
export function actorOf(caller: Caller): string {
  return 'serviceKeyId' in caller ? `key:${caller.serviceKeyId}` : `account:${caller.accountId}`;
}

/** The creator of something, as it is stored: the ID of an account, or the actor of a service key. */
export function creatorOf(caller: Caller): string {
  return 'accountId' in caller ? caller.accountId : actorOf(caller);
}

/** The account of an actor in the audit log; null for an actor that is not a person. */
export function accountOf(actor: string): string | null {
  return actor.startsWith('account:') ? actor.slice('account:'.length) : null;
}
