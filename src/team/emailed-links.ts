// The password reset and invitation links in emails. Only the code that composes the email may use them.

import { rederiveToken } from '../base/derived-tokens.ts';
import type { Keyring } from '../base/keyring.ts';
import type { TenantTx } from '../db/database.ts';
import { listOpenPasswordResets } from '../sign-in/password-reset-store.ts';
import { listOpenInvitations } from './store.ts';

export type EmailedLink = { url: string; expiresAt: Date };
type LinkDeps = { keyring: Keyring; baseUrl: string };

/** The link of an invitation. Browsers send no fragment to a server, so the token gets into no log. */
export function invitationUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/dashboard/invitation#${token}`;
}

/** The links of active resets, by ID. */
export async function listResetLinks(
  tx: TenantTx,
  { keyring, baseUrl }: LinkDeps,
  resetIds: readonly string[],
): Promise<[resetId: string, link: EmailedLink][]> {
  const { companyId } = tx;
  const resets = await listOpenPasswordResets(tx, resetIds);
  return resets.map(({ resetId, tokenDigest, expiresAt }) => {
    const token = rederiveToken(keyring, 'reset', { companyId, id: resetId, digest: tokenDigest });
    return [resetId, { url: `${baseUrl}/dashboard/reset#${token}`, expiresAt }];
  });
}

/** The links of invitations that were neither accepted nor revoked, by ID. */
export async function listInvitationLinks(
  tx: TenantTx,
  { keyring, baseUrl }: LinkDeps,
  invitationIds: readonly string[],
): Promise<[invitationId: string, link: EmailedLink][]> {
  const { companyId } = tx;
  const invitations = await listOpenInvitations(tx, invitationIds);
  return invitations.map(({ invitationId, tokenDigest, expiresAt }) => {
    const token = rederiveToken(keyring, 'invite', { companyId, id: invitationId, digest: tokenDigest });
    return [invitationId, { url: invitationUrl(baseUrl, token), expiresAt }];
  });
}
