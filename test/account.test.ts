// The caller's own account over the API: its data, password and sessions. On PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiError } from '../src/base/errors.ts';
import { newId } from '../src/base/ids.ts';
import type { Database, TenantTx } from '../src/db/database.ts';
import { changePassword } from '../src/sign-in/change-password.ts';
import { logIn as logInWith } from '../src/sign-in/log-in.ts';
import { type Answer, type Credentials, call, type Json, logIn, post } from './harness/client.ts';
import { manualClock } from './harness/manual-clock.ts';
import { type Merchant, type Paylink, password, startPaylink } from './harness/paylink.ts';
import { addMember } from './harness/people.ts';

const newPassword = 'four quiet rivers at dawn';
const clock = manualClock();
let paylink: Paylink;
before(async () => {
  paylink = await startPaylink('server', { clock });
});
after(async () => await paylink.stop());

type Own = { merchant: Merchant; owner: Credentials };
async function newOwner(): Promise<Own> {
  const merchant = await paylink.createMerchant();
  return { merchant, owner: await logIn(paylink, merchant) };
}
const me = async (credentials: Credentials): Promise<Answer> =>
  await call(paylink, credentials, ['GET', '/v1/me']);
const change = async (credentials: Credentials, body: Json): Promise<Answer> =>
  await call(paylink, credentials, ['POST', '/v1/me/password'], body);
const enter = async (merchant: Merchant, word: string): Promise<Answer> =>
  await post(`${paylink.baseUrl}/v1/auth/login`, { email: merchant.email, password: word });
const sessionsOf = async (credentials: Credentials): Promise<Json[]> =>
  (await call(paylink, credentials, ['GET', '/v1/me/sessions'])).body.data as Json[];
const faultOf = (answer: Answer) => (answer.body.errors as Json[])[0];

test('an account can read its own data, company and session', async () => {
  const { merchant, owner } = await newOwner();
  const { status, body } = await me(owner);
  assert.equal(status, 200);
  const [session] = await sessionsOf(owner);
  const { companyId, accountId, email } = merchant;
  const { sessionId } = session ?? {};
  assert.deepEqual(body, {
    ...{ accountId, email, roles: ['owner'], companyId, companyName: 'Café Zürich', sessionId },
  });
});

test('after a logout the token is refused, and other sessions stay valid', async () => {
  const { merchant, owner } = await newOwner();
  const other = await logIn(paylink, merchant);
  const answer = await call(paylink, owner, ['POST', '/v1/auth/logout']);
  assert.deepEqual([answer.status, answer.body], [204, {}]);
  const refused = await me(owner);
  assert.deepEqual([refused.status, refused.body.code], [401, 'invalid_token']);
  assert.equal(faultOf(refused)?.code, 'ended');
  assert.equal((await me(other)).status, 200);
});

test('sessions are listed newest first, and can be ended one by one or all except the current one', async () => {
  const { merchant, owner } = await newOwner();
  const others: Credentials[] = [];
  for (let count = 0; count < 3; count++) {
    clock.advanceMs(1000);
    others.push(await logIn(paylink, merchant));
  }
  const listed = await sessionsOf(owner);
  assert.deepEqual(
    listed.map(({ isCurrent }) => isCurrent),
    [false, false, false, true],
  );
  const end = async () => await call(paylink, owner, ['DELETE', `/v1/me/sessions/${listed[0]?.sessionId}`]);
  assert.equal((await end()).status, 204);
  assert.equal((await me(others[2] as Credentials)).status, 401);
  assert.equal((await end()).status, 204, 'to end it again changes nothing');
  assert.equal((await sessionsOf(owner)).length, 3);
  assert.equal((await call(paylink, owner, ['DELETE', '/v1/me/sessions'])).status, 204);
  for (const credentials of others) assert.equal((await me(credentials)).status, 401);
  assert.deepEqual(
    (await sessionsOf(owner)).map(({ isCurrent }) => isCurrent),
    [true],
  );
});

test('ending a session of another account gives 404, and the session stays valid', async () => {
  const { owner } = await newOwner();
  const { owner: stranger } = await newOwner();
  const colleague = await addMember(paylink, owner, ['admin']);
  for (const target of [stranger, colleague.credentials]) {
    const [session] = await sessionsOf(target);
    const answer = await call(paylink, owner, ['DELETE', `/v1/me/sessions/${session?.sessionId}`]);
    assert.deepEqual([answer.status, answer.body.code], [404, 'not_found']);
    assert.equal((await me(target)).status, 200);
  }
  assert.equal((await call(paylink, owner, ['DELETE', '/v1/me/sessions/ses_nothing'])).status, 404);
});

test('a changed password ends all other sessions, and the old password no longer works', async () => {
  const { merchant, owner } = await newOwner();
  const other = await logIn(paylink, merchant);
  const answer = await change(owner, { currentPassword: password, newPassword });
  assert.equal(answer.status, 204, JSON.stringify(answer.body));
  assert.equal((await me(owner)).status, 200, 'the session that changed it goes on');
  assert.equal((await me(other)).status, 401);
  assert.equal((await enter(merchant, password)).status, 401);
  assert.equal((await enter(merchant, newPassword)).status, 200);
  const [row] = await paylink.app.deps.db.asOwner.query<{ data: Json; actor: string }>(
    `select data, actor from events where company_id = $1 and type = 'password.changed'`,
    [merchant.companyId],
  );
  assert.deepEqual(row, {
    data: { accountId: merchant.accountId, endedSessions: 1 },
    actor: `account:${merchant.accountId}`,
  });
});

test('a wrong current password changes nothing', async () => {
  const { merchant, owner } = await newOwner();
  const answer = await change(owner, { currentPassword: 'not it at all', newPassword });
  assert.deepEqual([answer.status, faultOf(answer)?.field], [422, 'currentPassword']);
  assert.equal(faultOf(answer)?.code, 'wrong');
  assert.equal((await enter(merchant, newPassword)).status, 401);
  assert.equal((await enter(merchant, password)).status, 200);
});

test('a password that is too short, too common or the email address is refused with the reason', async () => {
  const { merchant, owner } = await newOwner();
  const { email } = merchant;
  const cases: [newPassword: string, code: string, why: RegExp][] = [
    ['elevenchars', 'too_short', /12 characters/],
    ['Password1234', 'too_easy', /most common/],
    ['QWERTY123456', 'too_easy', /most common/],
    [' '.repeat(12), 'too_easy', /different characters/],
    ['zzzzzzzzzzzz', 'too_easy', /different characters/],
    [email.toUpperCase(), 'too_easy', /email address/],
  ];
  for (const [wanted, code, why] of cases) {
    const answer = await change(owner, { currentPassword: password, newPassword: wanted });
    assert.deepEqual(
      [answer.status, faultOf(answer)?.field, faultOf(answer)?.code],
      [422, 'newPassword', code],
    );
    assert.match(String(faultOf(answer)?.detail), why);
  }
  assert.equal((await enter(merchant, password)).status, 200);
});

test('wrong current passwords count towards the login pause, which also applies to password changes', async () => {
  const { merchant, owner } = await newOwner();
  for (let tries = 0; tries < 5; tries++)
    assert.equal((await change(owner, { currentPassword: `wrong ${tries}`, newPassword })).status, 422);
  for (let tries = 0; tries < 5; tries++) assert.equal((await enter(merchant, 'wrong')).status, 401);
  for (const answer of [
    await change(owner, { currentPassword: password, newPassword }),
    await enter(merchant, password),
  ]) {
    assert.deepEqual([answer.status, answer.body.code], [429, 'login_paused']);
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
  }
  assert.equal((await me(owner)).status, 200, 'the session itself goes on');
});

test('of two concurrent password changes, one succeeds', async () => {
  const { merchant, owner } = await newOwner();
  const other = await logIn(paylink, merchant);
  const words = ['a first long password', 'a second long password'];
  const answers = await Promise.all(
    [owner, other].map(
      async (credentials, index) =>
        await change(credentials, { currentPassword: password, newPassword: String(words[index]) }),
    ),
  );
  const good = answers.filter(({ status }) => status === 204);
  assert.equal(good.length, 1, JSON.stringify(answers.map(({ body }) => body)));
  const winner = answers.findIndex(({ status }) => status === 204);
  assert.equal((await enter(merchant, String(words[winner]))).status, 200);
  assert.equal((await enter(merchant, String(words[1 - winner]))).status, 401);
});

/**
 * Logs in while the password is changed: the login has checked the old password, and opens its session afterwards.
 * Returns whether it got a token. With `isLookPlantedAway`, the login does not check the account again.
 */
async function logInAcrossChange(isLookPlantedAway: boolean): Promise<boolean> {
  const { merchant, owner } = await newOwner();
  const { deps } = paylink.app;
  const { sessionId } = (await me(owner)).body;
  const caller = {
    ...merchant,
    sessionId: String(sessionId),
    keyId: '',
    roles: ['owner'],
    mode: 'test',
  } as const;
  let visits = 0;
  const inCompany: Database['inCompany'] = async (companyId, work) => {
    visits += 1;
    // The first visit reads the account, the second opens the session.
    if (visits === 2)
      await changePassword(deps, caller, {
        currentPassword: password,
        newPassword,
        client: { networks: [{ name: 'another', times: 1 }] },
        eventId: newId('evt', deps.clock.now()),
      });
    return await deps.db.inCompany(companyId, async (tx) => {
      const query: TenantTx['query'] = async <T extends Record<string, unknown>>(
        text: string,
        values?: readonly unknown[],
      ) => {
        const rows = await tx.query<T & { passwordHash?: string }>(text, values);
        return isLookPlantedAway && text.includes('for share')
          ? rows.map((row) => ({ ...row, ...seen }))
          : rows;
      };
      const result = await work({ ...tx, query });
      if (visits === 1) seen = { passwordHash: (result as { passwordHash?: string } | null)?.passwordHash };
      return result;
    });
  };
  let seen: { passwordHash?: string | undefined } = {};
  try {
    const attempt = {
      ...{ email: merchant.email, password },
      client: { networks: [{ name: 'a client', times: 1 }] } as const,
    };
    const { token } = await logInWith({ ...deps, db: { ...deps.db, inCompany } }, attempt);
    return (await me({ ...owner, token })).status === 200;
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'wrong_login', String(error));
    return false;
  }
}

test('a login that checked the old password opens no session after the change', async () => {
  assert.equal(await logInAcrossChange(false), false);
});

test('the test above fails for a login that does not check again', async () => {
  assert.equal(await logInAcrossChange(true), true);
});
