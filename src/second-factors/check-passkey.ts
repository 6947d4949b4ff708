// Verifies a sign-in with a passkey, without an email address or a password: the response names the account, and the
// device has verified the person. Every failure gives the same error.

import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { errors } from '../base/errors.ts';
import { findAccount } from '../companies/account-store.ts';
import { challenge } from '../http/authentication.ts';
import type { LoginDeps } from '../passwords/deps.ts';
import type { Login } from './check-second-factor.ts';
import { listPasskeys, updatePasskeyUse } from './passkey-store.ts';
import { accountOfUserHandle, verifyAuthentication } from './passkeys.ts';

/** Throws `wrong_second_factor`. */
export async function checkPasskey(deps: LoginDeps, response: AuthenticationResponseJSON): Promise<Login> {
  const refused = errors.wrongSecondFactor({ headers: challenge() });
  const who = accountOfUserHandle(response.response.userHandle);
  if (!who) throw refused;
  const { companyId, accountId } = who;
  const { account, passkeys } = await deps.db.inCompany(companyId, async (tx) => ({
    account: await findAccount(tx, accountId),
    passkeys: await listPasskeys(tx, accountId),
  }));
  const passkey = passkeys.find(({ credentialId }) => credentialId === response.id);
  if (!account || account.isDisabled || !passkey) throw refused;
  const to = await verifyAuthentication(deps, passkey, response);
  if (to === null) throw refused;
  const use = { passkeyId: passkey.passkeyId, from: passkey.counter, to, at: deps.clock.now() };
  // Another request has used the passkey meanwhile. A real device does not repeat a counter.
  if (!(await deps.db.inCompany(companyId, async (tx) => await updatePasskeyUse(tx, use)))) throw refused;
  return { companyId, account, factor: 'passkey' };
}
