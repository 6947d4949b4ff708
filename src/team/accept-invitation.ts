// Accepts an invitation and creates the account. An invalid token must not reveal invitations or addresses.

import { errors } from '../base/errors.ts';
import { companyOfSecretToken, digestToken, newId } from '../base/ids.ts';
import { insertAccount, insertLogin } from '../companies/account-store.ts';
import { EmailTaken, type RequireClaim, withClaimedEmail } from '../companies/logins.ts';
import type { TenantTx } from '../db/database.ts';
import { appendCallerEvent } from '../events/append-event.ts';
import type { Role } from '../http/authentication.ts';
import type { ClientNetwork } from '../http/client-network.ts';
import { passwordError } from '../passwords/password-policy.ts';
import type { PasswordPool } from '../passwords/password-pool.ts';
import { hashPassword } from '../passwords/passwords.ts';
import type { MemberDeps } from './invite-member.ts';
import { type Invitation, lockInvitation, markAccepted } from './store.ts';

export type NewMember = { companyId: string; accountId: string; email: string; roles: readonly Role[] };

async function findValid(tx: TenantTx, token: string, now: Date): Promise<Invitation> {
  const invitation = await lockInvitation(tx, digestToken(token), now);
  if (!invitation) throw errors.invalidInvitation();
  return invitation;
}

async function join(
  tx: TenantTx,
  invitation: Invitation,
  account: { accountId: string; passwordHash: string },
  at: Date,
): Promise<void> {
  const { invitationId, email, roles } = invitation;
  const { accountId } = account;
  await insertAccount(tx, { ...account, email, roles }, at);
  // The address may have an account in another company by now. The invitation stays open.
  if (!(await insertLogin(tx, email, accountId))) throw errors.emailTaken();
  await markAccepted(tx, { invitationId, accountId, at });
  await appendCallerEvent(
    tx,
    { accountId },
    { type: 'member.joined', data: { accountId, invitationId, roles }, at },
  );
}

/** Throws `invalid_invitation` for every invalid token, `invalid_fields` for a weak password; `email_taken`. */
export async function acceptInvitation(
  deps: MemberDeps & { passwords: PasswordPool },
  input: { token: string; password: string; networks: readonly ClientNetwork[] },
): Promise<NewMember> {
  const at = deps.clock.now();
  const { token, password, networks } = input;
  const companyId = companyOfSecretToken('invite', token);
  if (!companyId) throw errors.invalidInvitation();
  const { email } = await deps.db.inCompany(companyId, async (tx) => await findValid(tx, token, at));
  const fault = await passwordError(password, email, 'password');
  if (fault) throw errors.invalidFields({ errors: [fault] });
  const passwordHash = await hashPassword(deps.passwords, networks, password);
  const account = { accountId: newId('acc', at), passwordHash };
  const { accountId } = account;
  const write = async (tx: TenantTx, requireClaim: RequireClaim) => {
    await requireClaim(tx);
    // Checked again: hashing took a while, and another request may have used or revoked it.
    const invitation = await findValid(tx, token, at);
    await join(tx, invitation, account, at);
    return { companyId, accountId, email, roles: invitation.roles };
  };
  try {
    return await withClaimedEmail(
      deps.db,
      { email, companyId, accountId },
      async (requireClaim) => await deps.db.inCompany(companyId, async (tx) => await write(tx, requireClaim)),
    );
  } catch (error) {
    throw error instanceof EmailTaken ? errors.emailTaken() : error;
  }
}
