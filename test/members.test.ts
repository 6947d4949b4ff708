// The members of a company over the API: invite, join, change roles, remove. A company always keeps an owner. On
// PostgreSQL.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newCompanyId, randomBase32, secretToken } from '../src/base/ids.ts';
import { disableAccount, lockOwners, updateRoles } from '../src/companies/account-store.ts';
import type { TenantTx } from '../src/db/database.ts';
import type { Role } from '../src/http/authentication.ts';
import { wrapTransactions } from './faults/crash-points.ts';
import { type Answer, type Credentials, call, type Json, logIn, post } from './harness/client.ts';
import { createBarrier } from './harness/concurrency.ts';
import { manualClock } from './harness/manual-clock.ts';
import { dumpAllRows, type Merchant, type Paylink, password, startPaylink } from './harness/paylink.ts';
import { addMember, invite } from './harness/people.ts';
import { until } from './harness/process.ts';

const dayMs = 24 * 60 * 60 * 1000;
const clock = manualClock();
let paylink: Paylink;
/** Removes the lock of changes to owners, and lets none of them continue before all have read. */
let meetWithoutLock: (() => Promise<void>) | null = null;

before(async () => {
  paylink = await startPaylink('server', { clock });
  wrapTransactions(
    paylink.app.deps.db,
    async (run, companyId, work) =>
      await run(companyId, async (tx) => {
        const query: TenantTx['query'] = async (text, values) => {
          // With the lock only one call gets here; the delay is enough for others that the lock must stop.
          if (/^update accounts set (roles|disabled_at)/.test(text))
            await (meetWithoutLock?.() ?? sleep(100));
          return await tx.query(meetWithoutLock ? text.replace(/ for update$/, '') : text, values);
        };
        return await work({ ...tx, query });
      }),
  );
});
after(async () => await paylink.stop());

async function newOwner(): Promise<Merchant & { credentials: Credentials }> {
  const merchant = await paylink.createMerchant();
  return { ...merchant, credentials: await logIn(paylink, merchant) };
}
const freshEmail = () => `person-${randomBase32(8)}@example.com`;
const accept = async (token: string, word = password): Promise<Answer> =>
  await post(`${paylink.baseUrl}/v1/invitations/accept`, { token, password: word });
const inviteTo = async (inviter: Credentials, email: string, roles: readonly Role[]): Promise<Answer> =>
  await call(paylink, inviter, ['POST', '/v1/members'], { email, roles });
const setRoles = async (by: Credentials, accountId: string, roles: readonly string[]): Promise<Answer> =>
  await call(paylink, by, ['PATCH', `/v1/members/${accountId}`], { roles });
const remove = async (by: Credentials, accountId: string): Promise<Answer> =>
  await call(paylink, by, ['DELETE', `/v1/members/${accountId}`]);
const listed = async (by: Credentials, path: string): Promise<Json[]> =>
  (await call(paylink, by, ['GET', path])).body.data as Json[];
const assertRefused = (answer: Answer, status: number, code: string) =>
  assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body));

test('an invited person joins with the invited roles, and the audit log names both accounts', async () => {
  const owner = await newOwner();
  const email = freshEmail();
  const answer = await inviteTo(owner.credentials, email.toUpperCase(), ['developer', 'viewer']);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const url = new URL(String(answer.body.url));
  assert.equal(url.origin + url.pathname, `${paylink.baseUrl}/dashboard/invitation`);
  assert.equal(answer.body.expiresAt, new Date(clock.now().getTime() + 7 * dayMs).toISOString());
  const [open] = await listed(owner.credentials, '/v1/invitations');
  assert.deepEqual([open?.email, open?.invitationId], [email, answer.body.invitationId]);

  const joined = await accept(url.hash.slice(1));
  assert.equal(joined.status, 200, JSON.stringify(joined.body));
  const { companyId } = owner;
  const accountId = String(joined.body.accountId);
  assert.deepEqual(joined.body, { accountId, email, roles: ['developer', 'viewer'], companyId });
  assert.equal((await logIn(paylink, { companyId, accountId, email })).companyId, companyId);
  const members = await listed(owner.credentials, '/v1/members');
  assert.deepEqual(
    members.map((member) => member.email),
    [owner.email, email],
  );
  assert.deepEqual(await listed(owner.credentials, '/v1/invitations'), []);
  const events = await paylink.app.deps.db.asOwner.query<Json>(
    `select type, actor, is_public as "isPublic", data from events
     where company_id = $1 and type like 'member.%' order by event_id`,
    [companyId],
  );
  const { invitationId } = answer.body;
  const roles = ['developer', 'viewer'];
  assert.deepEqual(events, [
    {
      type: 'member.invited',
      actor: `account:${owner.accountId}`,
      isPublic: false,
      data: { invitationId, roles },
    },
    {
      type: 'member.joined',
      actor: `account:${accountId}`,
      isPublic: false,
      data: { accountId, invitationId, roles },
    },
  ]);
});

test('a used, expired, revoked, replaced or unknown token gives the same error', async () => {
  const { credentials: owner, companyId } = await newOwner();
  const person = () => ({ email: freshEmail(), roles: ['viewer'] as const });
  const used = await invite(paylink, owner, person());
  assert.equal((await accept(used.token)).status, 200);
  const twice = person();
  const replaced = await invite(paylink, owner, twice);
  const current = await invite(paylink, owner, twice);
  const revoked = await invite(paylink, owner, person());
  const path = `/v1/invitations/${revoked.invitationId}`;
  assert.equal((await call(paylink, owner, ['DELETE', path])).status, 204);
  assertRefused(await call(paylink, owner, ['DELETE', path]), 404, 'not_found');
  const answers = [used, replaced, revoked].map(async ({ token }) => await accept(token));
  const secret = randomBytes(32);
  const unknown = [
    secretToken('invite', companyId, secret),
    secretToken('invite', newCompanyId(), secret),
    'invite_',
    'x',
  ];
  answers.push(...unknown.map(async (token) => await accept(token)));
  const late = await invite(paylink, owner, person());
  clock.advanceMs(7 * dayMs - 1);
  assert.equal((await accept(current.token)).status, 200, 'it is good to the last moment');
  clock.advanceMs(1);
  answers.push(accept(late.token));
  const bodies = (await Promise.all(answers)).map((answer) => {
    assertRefused(answer, 404, 'invalid_invitation');
    return { ...answer.body, instance: '', requestId: '' };
  });
  for (const body of bodies) assert.deepEqual(body, bodies[0]);
});

test('five concurrent acceptances of one invitation create one account', async () => {
  const { credentials: owner } = await newOwner();
  const { token } = await invite(paylink, owner, { email: freshEmail(), roles: ['viewer'] });
  const answers = await Promise.all(Array.from({ length: 5 }, async () => await accept(token)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404, 404]);
  assert.equal((await listed(owner, '/v1/members')).length, 2);
});

test('only the holder of a valid token learns that the address is taken in another company', async () => {
  const [owner, stranger] = [await newOwner(), await newOwner()];
  const answer = await inviteTo(owner.credentials, stranger.email, ['viewer']);
  assert.equal(answer.status, 200, 'the inviter learns nothing');
  const token = String(answer.body.url).split('#')[1] ?? '';
  assertRefused(await accept(token), 409, 'email_taken');
  assert.equal((await listed(owner.credentials, '/v1/members')).length, 1, 'nothing was made');
  assert.equal((await listed(owner.credentials, '/v1/invitations')).length, 1, 'the invitation stays');
  assertRefused(await inviteTo(owner.credentials, owner.email, ['viewer']), 409, 'email_taken');
});

test('a weak password creates no account, and the invitation stays valid', async () => {
  const { credentials: owner } = await newOwner();
  const email = freshEmail();
  const { token } = await invite(paylink, owner, { email, roles: ['viewer'] });
  for (const word of ['short', email, 'password1234', ' '.repeat(12)]) {
    const answer = await accept(token, word);
    assertRefused(answer, 422, 'invalid_fields');
    assert.equal((answer.body.errors as Json[])[0]?.field, 'password');
  }
  assert.equal((await accept(token)).status, 200);
});

test('the database contains no invitation token', async () => {
  const { credentials: owner } = await newOwner();
  const { token } = await invite(paylink, owner, { email: freshEmail(), roles: ['viewer'] });
  assert.equal(token.length, 'invite_'.length + 8 + 64);
  assert.ok(!(await dumpAllRows(paylink.app)).includes(token.slice(-43)));
  assert.ok(!paylink.log().includes(token.slice(-43)));
});

test('only owners add or remove owners', async () => {
  const owner = await newOwner();
  const admin = await addMember(paylink, owner.credentials, ['admin']);
  const viewer = await addMember(paylink, owner.credentials, ['viewer']);
  for (const answer of [
    await inviteTo(admin.credentials, freshEmail(), ['owner']),
    await setRoles(admin.credentials, viewer.accountId, ['owner']),
    await setRoles(admin.credentials, admin.accountId, ['admin', 'owner']),
    await setRoles(admin.credentials, owner.accountId, ['viewer']),
    await remove(admin.credentials, owner.accountId),
  ])
    assertRefused(answer, 403, 'role_not_allowed');
  assert.equal((await setRoles(admin.credentials, viewer.accountId, ['support'])).status, 200);
  const made = await setRoles(owner.credentials, admin.accountId, ['owner']);
  assert.deepEqual([made.status, made.body.roles], [200, ['owner']]);
  assert.equal((await setRoles(admin.credentials, owner.accountId, ['viewer'])).status, 200);
});

test('an admin whose call waited for a new owner cannot remove that owner', async () => {
  const owner = await newOwner();
  const admin = await addMember(paylink, owner.credentials, ['admin']);
  const { db } = paylink.app.deps;
  const acts = [
    async (accountId: string) => await setRoles(admin.credentials, accountId, ['viewer']),
    async (accountId: string) => await remove(admin.credentials, accountId),
  ];
  for (const act of acts) {
    const member = await addMember(paylink, owner.credentials, ['developer']);
    const [made, waited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const making = db.inTenant({ companyId: owner.companyId, mode: 'test' }, async (tx) => {
      await lockOwners(tx);
      await updateRoles(tx, member.accountId, ['owner']);
      made.resolve();
      await waited.promise;
    });
    await made.promise;
    const acting = act(member.accountId);
    const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await db.asOwner.query(waiting)).length > 0, 'the admin to wait');
    waited.resolve();
    await making;
    assertRefused(await acting, 403, 'role_not_allowed');
    assert.equal((await call(paylink, member.credentials, ['GET', '/v1/me'])).status, 200);
  }
});

test('new roles apply from the next call on', async () => {
  const owner = await newOwner();
  const member = await addMember(paylink, owner.credentials, ['admin']);
  assert.equal((await call(paylink, member.credentials, ['GET', '/v1/members'])).status, 200);
  await setRoles(owner.credentials, member.accountId, ['viewer']);
  assertRefused(await call(paylink, member.credentials, ['GET', '/v1/members']), 403, 'role_not_allowed');
});

for (const roles of [[], ['boss'], ['viewer', 'viewer'], 'viewer'])
  test(`roles are not ${JSON.stringify(roles)}`, async () => {
    const owner = await newOwner();
    const answer = await call(paylink, owner.credentials, ['PATCH', `/v1/members/${owner.accountId}`], {
      roles,
    });
    assertRefused(answer, 422, 'invalid_fields');
    assert.match(String((answer.body.errors as Json[])[0]?.field), /^roles/);
  });

test('a removed member’s token, login and open invitations end at once, and the address is free', async () => {
  const owner = await newOwner();
  const member = await addMember(paylink, owner.credentials, ['admin']);
  const pending = await invite(paylink, member.credentials, { email: freshEmail(), roles: ['viewer'] });
  const answer = await remove(owner.credentials, member.accountId);
  assert.deepEqual([answer.status, answer.body], [204, {}]);
  assertRefused(await call(paylink, member.credentials, ['GET', '/v1/me']), 401, 'invalid_token');
  assertRefused(
    await post(`${paylink.baseUrl}/v1/auth/login`, { email: member.email, password }),
    401,
    'wrong_login',
  );
  assertRefused(await accept(pending.token), 404, 'invalid_invitation');
  assertRefused(await remove(owner.credentials, member.accountId), 404, 'not_found');
  assertRefused(await setRoles(owner.credentials, member.accountId, ['viewer']), 404, 'not_found');
  assert.equal((await listed(owner.credentials, '/v1/members')).length, 1);
  const again = await addMember(paylink, owner.credentials, ['viewer'], member.email);
  assert.notEqual(again.accountId, member.accountId);
});

test('open invitations of a member are revoked when their roles change', async () => {
  const owner = await newOwner();
  const second = await addMember(paylink, owner.credentials, ['owner']);
  const { token } = await invite(paylink, second.credentials, { email: freshEmail(), roles: ['owner'] });
  await setRoles(owner.credentials, second.accountId, ['viewer']);
  assertRefused(await accept(token), 404, 'invalid_invitation');
});

test('a caller who loses the owner role while the call waits is refused', async () => {
  const { db } = paylink.app.deps;
  const unmake = {
    'other roles': async (tx: TenantTx, id: string) => await updateRoles(tx, id, ['admin']),
    removed: async (tx: TenantTx, id: string) => await disableAccount(tx, id, clock.now()),
  };
  const acts = {
    make: { before: ['developer'], act: async (by, id) => await setRoles(by, id, ['owner']) },
    unmake: { before: ['owner'], act: async (by, id) => await setRoles(by, id, ['viewer']) },
    remove: { before: ['owner'], act: remove },
  } as const satisfies Record<
    string,
    { before: Role[]; act: (by: Credentials, id: string) => Promise<Answer> }
  >;
  const rolesOf = async (id: string) =>
    await db.asOwner.query('select roles, disabled_at from accounts where account_id = $1', [id]);
  for (const [how, end] of Object.entries(unmake))
    for (const [what, { before: roles, act }] of Object.entries(acts)) {
      const owner = await newOwner();
      const caller = await addMember(paylink, owner.credentials, ['owner']);
      const member = await addMember(paylink, owner.credentials, roles);
      const [ended, waited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const ending = db.inTenant({ companyId: owner.companyId, mode: 'test' }, async (tx) => {
        await lockOwners(tx);
        await end(tx, caller.accountId);
        ended.resolve();
        await waited.promise;
      });
      await ended.promise;
      const stood = await rolesOf(member.accountId);
      const acting = act(caller.credentials, member.accountId);
      const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await until(async () => (await db.asOwner.query(waiting)).length > 0, 'the caller to wait');
      waited.resolve();
      await ending;
      assertRefused(await acting, 403, 'role_not_allowed');
      assert.deepEqual(await rolesOf(member.accountId), stood, `${what}, ${how}`);
    }
});

test('the last owner cannot be demoted or removed, even by itself', async () => {
  const owner = await newOwner();
  assertRefused(await setRoles(owner.credentials, owner.accountId, ['admin']), 409, 'last_owner');
  assertRefused(await remove(owner.credentials, owner.accountId), 409, 'last_owner');
  assert.equal((await setRoles(owner.credentials, owner.accountId, ['owner', 'admin'])).status, 200);
  const second = await addMember(paylink, owner.credentials, ['owner']);
  assert.equal((await remove(owner.credentials, owner.accountId)).status, 204, 'with another one it may go');
  assertRefused(await remove(second.credentials, second.accountId), 409, 'last_owner');
});

/** Three owners each demote or remove the next, concurrently. Returns how many owners are left. */
async function unmakeInARing(): Promise<number> {
  const first = await newOwner();
  const second = await addMember(paylink, first.credentials, ['owner']);
  const third = await addMember(paylink, first.credentials, ['owner']);
  await Promise.all([
    setRoles(first.credentials, second.accountId, ['viewer']),
    remove(second.credentials, third.accountId),
    setRoles(third.credentials, first.accountId, ['admin']),
  ]);
  const [row] = await paylink.app.deps.db.asOwner.query<{ owners: number }>(
    `select count(*)::int as owners from accounts
     where company_id = $1 and disabled_at is null and 'owner' = any(roles)`,
    [first.companyId],
  );
  return row?.owners ?? -1;
}

test('of three owners who demote each other at once, one stays an owner', async () => {
  for (let round = 0; round < 3; round++) assert.ok((await unmakeInARing()) >= 1);
});

test('the test above fails without the lock', async () => {
  meetWithoutLock = createBarrier(3);
  try {
    assert.equal(await unmakeInARing(), 0);
  } finally {
    meetWithoutLock = null;
  }
});

test('a member or invitation of another company gives 404', async () => {
  const [owner, other] = [await newOwner(), await newOwner()];
  const foreign = await invite(paylink, other.credentials, { email: freshEmail(), roles: ['viewer'] });
  for (const accountId of [other.accountId, 'acc_nothing']) {
    assertRefused(await setRoles(owner.credentials, accountId, ['viewer']), 404, 'not_found');
    assertRefused(await remove(owner.credentials, accountId), 404, 'not_found');
  }
  for (const invitationId of [foreign.invitationId, 'inv_nothing'])
    assertRefused(
      await call(paylink, owner.credentials, ['DELETE', `/v1/invitations/${invitationId}`]),
      404,
      'not_found',
    );
  assert.equal((await accept(foreign.token)).status, 200);
});

test('accepting invitations is rate limited', async () => {
  const limited = await startPaylink('server', { settings: { RATE_LIMIT_LOGIN_PER_MINUTE: '2' } });
  try {
    const url = `${limited.baseUrl}/v1/invitations/accept`;
    const tries = [1, 2, 3].map(async () => await post(url, { token: 'x', password }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [404, 404, 429]);
  } finally {
    await limited.stop();
  }
});
