// Where the mails with links to a new password lead. Only what writes the mail may ask: who has a link can set the
// password.

import type { Keyring } from '../base/keyring.ts';
import type { TenantTx } from '../db/database.ts';
import { rederiveToken } from './derived-tokens.ts';
import { listOpenPasswordResets } from './password-reset-store.ts';

export type ResetLink = { url: string; expiresAt: Date };

/** The links of resets that have not ended, by their ids. */
export async function listResetLinks(
  tx: TenantTx,
  { keyring, baseUrl }: { keyring: Keyring; baseUrl: string },
  resetIds: readonly string[],
): Promise<[resetId: string, link: ResetLink][]> {
  const { companyId } = tx;
  const resets = await listOpenPasswordResets(tx, resetIds);
  return resets.map(({ resetId, tokenDigest, expiresAt }) => {
    const token = rederiveToken(keyring, 'reset', { companyId, id: resetId, digest: tokenDigest });
    // A fragment is sent to no server, so the token gets into no log.
    return [resetId, { url: `${baseUrl}/dashboard/reset#${token}`, expiresAt }];
  });
}
