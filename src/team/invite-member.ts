// Invites a person into the company, and revokes invitations. The event creates an email with the link
// (migrations/0019_invitation_mails.sql). Only a digest of the token is stored.

import type { Clock } from '../base/clock.ts';
import { deriveToken, rederiveToken } from '../base/derived-tokens.ts';
import { normaliseEmail } from '../base/email-address.ts';
import { errors } from '../base/errors.ts';
import { digestToken } from '../base/ids.ts';
import type { Keyring } from '../base/keyring.ts';
import { isMemberEmail, lockAccountRow } from '../companies/account-store.ts';
import type { Database, TenantTx } from '../db/database.ts';
import { appendCallerEvent } from '../events/append-event.ts';
import type { AccountPrincipal, Role } from '../http/authentication.ts';
import { requireRight } from '../http/roles.ts';
import { findInvitation, insertInvitation, revokeInvitation, revokeInvitations } from './store.ts';

export type MemberDeps = { db: Database; clock: Clock };

export const invitationTtlDays = 7;

/** Only owners may add or remove owners. Throws `role_not_allowed`. */
export function requireOwner(isOwner: boolean): void {
  if (!isOwner) throw errors.roleNotAllowed({ detail: 'Only an owner may add or remove an owner.' });
}

/** Locks and checks the caller, who may have been changed since the call came in. */
async function lockInviter(tx: TenantTx, caller: AccountPrincipal, wanted: readonly Role[]): Promise<void> {
  const inviter = await lockAccountRow(tx, caller.accountId);
  const roles = inviter && !inviter.isDisabled ? inviter.roles : [];
  requireRight({ ...caller, roles }, 'members:manage');
  if (wanted.includes('owner')) requireOwner(roles.includes('owner'));
}

/** Idempotent by ID. Revokes an open one to the address. Throws `role_not_allowed`, or `email_taken` by a member. */
export async function inviteMember(
  deps: MemberDeps & { keyring: Keyring },
  caller: AccountPrincipal,
  person: { invitationId: string; email: string; roles: readonly Role[] },
): Promise<{ invitationId: string; token: string; expiresAt: Date }> {
  const at = deps.clock.now();
  const email = normaliseEmail(person.email);
  const { companyId } = caller;
  const { invitationId } = person;
  const tokenScope = { companyId, id: invitationId };
  const expiresAt = new Date(at.getTime() + invitationTtlDays * 24 * 60 * 60 * 1000);
  return await deps.db.inCompany(companyId, async (tx) => {
    await lockInviter(tx, caller, person.roles);
    const existing = await findInvitation(tx, invitationId);
    if (existing) {
      const token = rederiveToken(deps.keyring, 'invite', { ...tokenScope, digest: existing.tokenDigest });
      return { invitationId, token, expiresAt: existing.expiresAt };
    }
    if (await isMemberEmail(tx, email))
      throw errors.emailTaken({ detail: 'This email address already belongs to a member.' });
    const token = deriveToken(deps.keyring, 'invite', tokenScope);
    await revokeInvitations(tx, { email, invitedBy: null, at });
    await insertInvitation(tx, {
      invitationId,
      email,
      roles: [...person.roles],
      tokenDigest: digestToken(token),
      invitedBy: caller.accountId,
      createdAt: at,
      expiresAt,
    });
    // No address: events are never deleted, and the invited person has not agreed to anything.
    await appendCallerEvent(tx, caller, {
      type: 'member.invited',
      data: { invitationId, roles: person.roles },
      at,
    });
    return { invitationId, token, expiresAt };
  });
}

/** Throws `not_found` for an invitation that does not exist, or was accepted or revoked. */
export async function cancelInvitation(
  deps: MemberDeps,
  caller: AccountPrincipal,
  invitationId: string,
): Promise<void> {
  const at = deps.clock.now();
  await deps.db.inCompany(caller.companyId, async (tx) => {
    if (!(await revokeInvitation(tx, invitationId, at))) throw errors.notFound();
    await appendCallerEvent(tx, caller, { type: 'invitation.revoked', data: { invitationId }, at });
  });
}
