// Password resets without a mail server: the token is derived as in the mail.

import assert from 'node:assert/strict';
import { deriveToken } from '../../src/base/derived-tokens.ts';
import { type Answer, post } from './client.ts';
import type { Merchant, Paylink } from './paylink.ts';

export async function askReset({ baseUrl }: Pick<Paylink, 'baseUrl'>, email: string): Promise<Answer> {
  return await post(`${baseUrl}/v1/password-resets`, { email });
}

export async function acceptReset(
  { baseUrl }: Pick<Paylink, 'baseUrl'>,
  token: string,
  password: string,
): Promise<Answer> {
  return await post(`${baseUrl}/v1/password-resets/accept`, { token, password });
}

export async function listResets({ app }: Paylink, { accountId }: Merchant): Promise<string[]> {
  const text = `select reset_id as "resetId" from password_resets where account_id = $1 order by reset_id`;
  const rows = await app.deps.db.asOwner.query<{ resetId: string }>(text, [accountId]);
  return rows.map(({ resetId }) => resetId);
}

/** Requests a link and returns its token. */
export async function resetToken(paylink: Paylink, member: Merchant): Promise<string> {
  assert.equal((await askReset(paylink, member.email)).status, 202);
  const id = (await listResets(paylink, member)).at(-1);
  assert.ok(id, 'no link was made');
  return deriveToken(paylink.app.deps.keyring, 'reset', { companyId: member.companyId, id });
}
