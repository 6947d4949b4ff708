// All SQL of invitations: one exported function per statement. Only the digest of a token is stored.

import type { TenantTx } from '../db/database.ts';
import { first, pick, type RowOf, statement, t } from '../db/statements.ts';
import { role } from '../http/authentication.ts';

export const Invitation = {
  invitationId: t.text,
  /** In lower case. */
  email: t.text,
  roles: t.array(role),
  invitedBy: t.text,
  createdAt: t.timestamptz,
  expiresAt: t.timestamptz,
};
export type Invitation = RowOf<typeof Invitation>;

export async function insertInvitation(
  tx: TenantTx,
  invitation: Invitation & { tokenDigest: Buffer },
): Promise<void> {
  const { invitationId, email, roles, tokenDigest, invitedBy, createdAt, expiresAt } = invitation;
  await tx.query(
    `insert into invitations
       (company_id, invitation_id, email, roles, token_digest, invited_by, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [tx.companyId, invitationId, email, roles, tokenDigest, invitedBy, createdAt, expiresAt],
  );
}

const listInvitationsSql = statement(Invitation)`
  select ${Invitation}
  from invitations
  where company_id = $1 and accepted_at is null and revoked_at is null and expires_at > $2
    and invitation_id > $3
  order by invitation_id limit $4`;

/** Invitations that can still be accepted, oldest first, after a cursor (the empty text: from the first). */
export async function listInvitations(
  tx: TenantTx,
  look: { now: Date; after: string; limit: number },
): Promise<Invitation[]> {
  return await tx.query(listInvitationsSql, [tx.companyId, look.now, look.after, look.limit]);
}

const listOpenInvitationsSql = statement({
  ...pick(Invitation, 'invitationId', 'expiresAt'),
  tokenDigest: t.bytea,
})`
  select invitation_id as "invitationId", token_digest as "tokenDigest", expires_at as "expiresAt"
  from invitations
  where company_id = $1 and invitation_id = any($2) and accepted_at is null and revoked_at is null`;

/** Those of the given invitations that were neither accepted nor revoked. */
export async function listOpenInvitations(
  tx: TenantTx,
  invitationIds: readonly string[],
): Promise<(Pick<Invitation, 'invitationId' | 'expiresAt'> & { tokenDigest: Buffer })[]> {
  return await tx.query(listOpenInvitationsSql, [tx.companyId, invitationIds]);
}

const lockInvitationSql = statement(Invitation)`
  select ${Invitation}
  from invitations
  where company_id = $1 and token_digest = $2
    and accepted_at is null and revoked_at is null and expires_at > $3
  for update`;

/** The invitation of a token, if it can still be accepted, locked until the transaction ends. */
export async function lockInvitation(
  tx: TenantTx,
  tokenDigest: Buffer,
  now: Date,
): Promise<Invitation | null> {
  return first(await tx.query(lockInvitationSql, [tx.companyId, tokenDigest, now]));
}

export async function markAccepted(
  tx: TenantTx,
  taken: { invitationId: string; accountId: string; at: Date },
): Promise<void> {
  await tx.query(
    `update invitations set accepted_at = $4, account_id = $3 where company_id = $1 and invitation_id = $2`,
    [tx.companyId, taken.invitationId, taken.accountId, taken.at],
  );
}

const findInvitationSql = statement({ ...Invitation, tokenDigest: t.bytea })`
  select invitation_id as "invitationId", email, roles, invited_by as "invitedBy",
         created_at as "createdAt", expires_at as "expiresAt", token_digest as "tokenDigest"
  from invitations where company_id = $1 and invitation_id = $2`;

export async function findInvitation(
  tx: TenantTx,
  invitationId: string,
): Promise<(Invitation & { tokenDigest: Buffer }) | null> {
  return first(await tx.query(findInvitationSql, [tx.companyId, invitationId]));
}

/** Revokes an invitation. False if it does not exist, or was accepted or revoked before. */
export async function revokeInvitation(tx: TenantTx, invitationId: string, at: Date): Promise<boolean> {
  const rows = await tx.query(
    `update invitations set revoked_at = $3
     where company_id = $1 and invitation_id = $2 and accepted_at is null and revoked_at is null
     returning invitation_id`,
    [tx.companyId, invitationId, at],
  );
  return rows.length === 1;
}

const revokeInvitationsSql = statement({ invitationId: t.text })`
  update invitations set revoked_at = $4
  where company_id = $1 and (email = $2 or invited_by = $3) and accepted_at is null and revoked_at is null
  returning invitation_id as "invitationId"`;

/** Revokes the open invitations to an address, and those that an account has made (null: of none). */
export async function revokeInvitations(
  tx: TenantTx,
  which: { email: string | null; invitedBy: string | null; at: Date },
): Promise<string[]> {
  const rows = await tx.query(revokeInvitationsSql, [tx.companyId, which.email, which.invitedBy, which.at]);
  return rows.map(({ invitationId }) => invitationId);
}
