// Members of a company, created by the API: invited, accepted, logged in.

import assert from 'node:assert/strict';
import { randomBase32 } from '../../src/base/ids.ts';
import type { Role } from '../../src/http/authentication.ts';
import { type At, type Credentials, call, logIn, post } from './client.ts';
import { type Merchant, type Paylink, password } from './paylink.ts';

export type Person = Merchant & { credentials: Credentials };

/** Returns the token and the ID of the invitation. */
export async function invite(
  paylink: At,
  inviter: Credentials,
  person: { email: string; roles: readonly Role[] },
): Promise<{ token: string; invitationId: string }> {
  const { status, body } = await call(paylink, inviter, ['POST', '/v1/members'], person);
  assert.equal(status, 200, JSON.stringify(body));
  return { token: String(body.url).split('#')[1] ?? '', invitationId: String(body.invitationId) };
}

/** A new member of the inviter's company, with the password of all tests. */
export async function join(
  paylink: At,
  inviter: Credentials,
  roles: readonly Role[],
  email = `member-${randomBase32(8)}@example.com`,
): Promise<Merchant> {
  const { token } = await invite(paylink, inviter, { email, roles });
  const { status, body } = await post(`${paylink.baseUrl}/v1/invitations/accept`, { token, password });
  assert.equal(status, 200, JSON.stringify(body));
  return { companyId: String(body.companyId), accountId: String(body.accountId), email };
}

export async function addMember(
  paylink: At,
  inviter: Credentials,
  roles: readonly Role[],
  email?: string,
): Promise<Person> {
  const merchant = await join(paylink, inviter, roles, email);
  return { ...merchant, credentials: await logIn(paylink, merchant) };
}

/** Makes an account an operator of the running service, as the setting OPERATOR_EMAILS does at start. */
export function makeOperator({ app }: Pick<Paylink, 'app'>, { email }: Pick<Merchant, 'email'>): void {
  app.deps.config.operatorEmails.push(email);
}

export async function setRoles(
  paylink: At,
  owner: Credentials,
  { accountId }: Pick<Merchant, 'accountId'>,
  roles: readonly Role[],
): Promise<void> {
  const { status, body } = await call(paylink, owner, ['PATCH', `/v1/members/${accountId}`], { roles });
  assert.equal(status, 200, JSON.stringify(body));
}
