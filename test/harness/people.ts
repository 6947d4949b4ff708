// People of a company, made as the API makes them: invited, accepted, logged in. It must never write an
// account past the invitation.

import assert from 'node:assert/strict';
import { randomBase32 } from '../../src/base/ids.ts';
import type { Role } from '../../src/http/authentication.ts';
import { type At, type Credentials, call, logIn, post } from './client.ts';
import { type Merchant, password } from './paylink.ts';

export type Person = Merchant & { credentials: Credentials };

/** Invites a person; gives the token of the invitation and its id. */
export async function invite(
  paylink: At,
  inviter: Credentials,
  person: { email: string; roles: readonly Role[] },
): Promise<{ token: string; invitationId: string }> {
  const { status, body } = await call(paylink, inviter, ['POST', '/v1/members'], person);
  assert.equal(status, 200, JSON.stringify(body));
  return { token: String(body.url).split('#')[1] ?? '', invitationId: String(body.invitationId) };
}

/** A new member of the inviter's company; the password is that of all tests. */
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

/** The same, logged in. */
export async function addMember(
  paylink: At,
  inviter: Credentials,
  roles: readonly Role[],
  email?: string,
): Promise<Person> {
  const merchant = await join(paylink, inviter, roles, email);
  return { ...merchant, credentials: await logIn(paylink, merchant) };
}

/** Gives a member other roles. */
export async function setRoles(
  paylink: At,
  owner: Credentials,
  { accountId }: Pick<Merchant, 'accountId'>,
  roles: readonly Role[],
): Promise<void> {
  const { status, body } = await call(paylink, owner, ['PATCH', `/v1/members/${accountId}`], { roles });
  assert.equal(status, 200, JSON.stringify(body));
}
