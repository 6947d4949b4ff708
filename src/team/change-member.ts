// Changes or removes a member. A company has an owner, and only owners may add or remove owners.

import { errors } from '../base/errors.ts';
import {
  deleteLogin,
  disableAccount,
  findAccount,
  type LoginAccount,
  lockOwners,
  type Member,
  updateRoles,
} from '../companies/account-store.ts';
import { freeEmails } from '../companies/logins.ts';
import type { TenantTx } from '../db/database.ts';
import { appendCallerEvent } from '../events/append-event.ts';
import type { AccountPrincipal, Role } from '../http/authentication.ts';
import { endSessions } from '../sign-in/session-store.ts';
import { type MemberDeps, requireOwner } from './invite-member.ts';
import { revokeInvitations } from './store.ts';

/** Throws `not_found`, `role_not_allowed` if only an owner may do this, or `last_owner`. */
async function checkOwnership(
  tx: TenantTx,
  caller: AccountPrincipal,
  change: { accountId: string; isOwnerAfter: boolean },
): Promise<LoginAccount> {
  const { accountId, isOwnerAfter } = change;
  const owners = await lockOwners(tx);
  // Read after the lock: a member who became an owner during the wait is not among the locked owners.
  const member = await findAccount(tx, accountId);
  if (!member || member.isDisabled) throw errors.notFound();
  const isOwnerNow = member.roles.includes('owner');
  if (!isOwnerNow && !isOwnerAfter) return member;
  // Uses the locked rows: the caller may have lost the role since the call came in.
  requireOwner(owners.includes(caller.accountId));
  const isAnotherOwner = owners.some((owner) => owner !== accountId);
  if (isOwnerNow && !isOwnerAfter && !isAnotherOwner) throw errors.lastOwner();
  return member;
}

/** Revokes the member's invitations. Throws `not_found`, `role_not_allowed` or `last_owner`. */
export async function changeRoles(
  deps: MemberDeps,
  caller: AccountPrincipal,
  change: { accountId: string; roles: readonly Role[] },
): Promise<Member> {
  const at = deps.clock.now();
  const { accountId, roles } = change;
  return await deps.db.inCompany(caller.companyId, async (tx) => {
    const before = await checkOwnership(tx, caller, { accountId, isOwnerAfter: roles.includes('owner') });
    const member = await updateRoles(tx, accountId, roles);
    if (!member) throw errors.notFound();
    const endedInvitations = await revokeInvitations(tx, { email: null, invitedBy: accountId, at });
    await appendCallerEvent(tx, caller, {
      type: 'member.changed',
      data: { accountId, from: before.roles, to: roles, endedInvitations },
      at,
    });
    return member;
  });
}

/** Ends logins, tokens and invitations, frees the address. Throws `not_found`, `role_not_allowed` or `last_owner`. */
export async function removeMember(
  deps: MemberDeps,
  caller: AccountPrincipal,
  accountId: string,
): Promise<void> {
  const at = deps.clock.now();
  await deps.db.inCompany(caller.companyId, async (tx) => {
    await checkOwnership(tx, caller, { accountId, isOwnerAfter: false });
    if (!(await disableAccount(tx, accountId, at))) throw errors.notFound();
    await deleteLogin(tx, accountId);
    const endedSessions = await endSessions(tx, { accountId, exceptSessionId: null, at });
    const endedInvitations = await revokeInvitations(tx, { email: null, invitedBy: accountId, at });
    await appendCallerEvent(tx, caller, {
      type: 'member.removed',
      data: { accountId, endedSessions, endedInvitations },
      at,
    });
  });
  // The member is removed. An address that stays in the directory without a login gives way to the next claim.
  await freeEmails(deps.db, { companyId: caller.companyId, accountId }).catch(() => undefined);
}
