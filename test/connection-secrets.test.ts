// Access to connections, their deletion and idempotent creation, and their secrets: in no response, log or event, and
// only encrypted in the database. On both databases.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { refreshAttempt } from '../src/attempts/refresh-attempt.ts';
import { decryptCredentials } from '../src/connections/open-connection.ts';
import { type Credentials, createLinkAs, credentialHeaders, type Json, post } from './harness/client.ts';
import {
  type ConnectionFixture,
  connectionsPath,
  orderPath,
  startConnectionFixture,
} from './harness/connection-fixture.ts';
import { dumpAllRows, engines } from './harness/paylink.ts';
import { addMember } from './harness/people.ts';
import { goodCredentials, silentKey } from './harness/stub-processor.ts';
import { press, visit } from './harness/visitor.ts';

for (const engine of engines)
  describe(`connections and their secrets (${engine})`, () => {
    let x: ConnectionFixture;
    before(async () => {
      x = await startConnectionFixture(engine);
    });
    after(async () => await x.paylink.stop());

    const trailOf = async ({ companyId }: Credentials): Promise<Json[]> =>
      await x.paylink.app.deps.db.inTenant(
        { companyId, mode: 'test' },
        async (tx) =>
          await tx.query<Json>(
            `select type, data, is_public as "isPublic", actor from events
             where company_id = $1 and type like 'connection.%' order by event_id`,
            [companyId],
          ),
      );

    /** A payment in progress at the stub processor. */
    const begin = async (who: Credentials, id: unknown): Promise<{ code: string; attemptId: string }> => {
      const { link, code } = await createLinkAs(x.paylink, who);
      await press(await visit(link), { form: 0, extra: { method: String(id) } });
      const [row] = await x.paylink.app.deps.db.asOwner.query<{ id: string }>(
        'select attempt_id as id from attempts join payments using (company_id, payment_id) where code = $1',
        [code],
      );
      return { code, attemptId: String(row?.id) };
    };

    test('a connection is deleted with its credentials, but only when no payment or refund through it is in progress', async () => {
      const who = await x.openShop();
      const { id } = await x.connect(who);
      const remove = async () => await x.ask(who, 'DELETE', `${connectionsPath}/${id}`);
      const { code, attemptId } = await begin(who, id);
      const during = await remove();
      assert.deepEqual([during.status, during.body.code], [409, 'connection_in_use']);
      const { deps } = x.paylink.app;
      await refreshAttempt(deps, { mode: 'test', companyId: who.companyId, attemptId, actor: 'job:test' });
      const sendRefund = async () => await x.ask(who, 'POST', `/v1/payments/${code}/refunds`, { amount: 5 });
      assert.equal((await sendRefund()).status, 200);
      assert.equal((await remove()).body.code, 'connection_in_use', 'a refund is in progress');
      await deps.db.asOwner.query(`update refunds set state = 'succeeded' where company_id = $1`, [
        who.companyId,
      ]);
      const removed = await remove();
      assert.deepEqual([removed.status, removed.body.enabled], [200, false]);
      assert.deepEqual([(await x.stored(who, id))?.sealed, (await x.stored(who, id))?.keyId], [null, null]);
      for (const answer of [
        await remove(),
        await x.ask(who, 'GET', `${connectionsPath}/${id}`),
        await x.change(who, id, { enabled: true }),
        await x.ask(who, 'POST', `${connectionsPath}/${id}/check`),
      ])
        assert.equal(answer.status, 404);
      assert.deepEqual(await x.listed(who), []);
      const late = await sendRefund();
      assert.deepEqual([late.status, late.body.code], [409, 'not_refundable']);
      assert.match(String(late.body.detail), /Refund the payment in the processor’s dashboard/);
    });

    test('of a concurrent refund and deletion, one is refused: no refund lacks credentials', async () => {
      const { deps } = x.paylink.app;
      for (let round = 0; round < 8; round++) {
        const who = await x.openShop();
        const { id } = await x.connect(who);
        const { code, attemptId } = await begin(who, id);
        await refreshAttempt(deps, { mode: 'test', companyId: who.companyId, attemptId, actor: 'job:test' });
        const asks = [
          async () => await x.ask(who, 'POST', `/v1/payments/${code}/refunds`, { amount: 5 }),
          async () => await x.ask(who, 'DELETE', `${connectionsPath}/${id}`),
        ];
        const answers = await Promise.all((round % 2 ? asks : asks.toReversed()).map((ask) => ask()));
        const codes = answers.map(({ status, body }) => (status === 200 ? 'done' : body.code)).sort();
        const isRefund = codes.includes('connection_in_use');
        assert.deepEqual(codes, [
          isRefund ? 'connection_in_use' : 'done',
          isRefund ? 'done' : 'not_refundable',
        ]);
      }
    });

    test('two creations with one Idempotency-Key create one connection, concurrently and in sequence', async () => {
      const who = await x.openShop();
      const headers = { ...credentialHeaders(who), 'idempotency-key': randomUUID() };
      const body = { processor: 'desk', credentials: goodCredentials };
      const send = async () => await post(x.paylink.baseUrl + connectionsPath, body, headers);
      const answers = await Promise.all([send(), send(), send()]);
      const made = answers.filter(({ status }) => status === 200);
      assert.ok(made.length > 0 && answers.every(({ status }) => status === 200 || status === 409));
      made.push(await send());
      assert.deepEqual(
        made.map((answer) => answer.body.id),
        made.map(() => made[0]?.body.id),
      );
      assert.equal((await x.listed(who)).length, 1);
    });

    test('a company has at most 20 connections in a mode, and a new one comes last', async () => {
      const who = await x.openShop();
      const answers = await Promise.all(Array.from({ length: 23 }, () => x.create(who)));
      assert.deepEqual(answers.map(({ status, body }) => (status === 200 ? 'made' : body.code)).sort(), [
        ...Array(20).fill('made'),
        ...Array(3).fill('too_many_connections'),
      ]);
      assert.deepEqual(
        (await x.listed(who)).map(({ position }) => position),
        Array.from({ length: 20 }, (_, index) => index),
      );
    });

    test('owners and admins manage connections, developers read them, other roles have no access', async () => {
      const owner = await x.openShop();
      const { id } = await x.connect(owner);
      const one = `${connectionsPath}/${id}`;
      const reads = [
        ['GET', '/v1/processors'],
        ['GET', connectionsPath],
        ['GET', one],
      ] as const;
      const writes = [
        ['POST', connectionsPath, { processor: 'desk', credentials: goodCredentials }],
        ['PATCH', one, { name: 'Mine' }],
        ['POST', `${one}/check`],
        ['PUT', orderPath, { connectionIds: [] }],
        ['DELETE', one],
      ] as const;
      for (const role of ['developer', 'support', 'viewer'] as const) {
        const { credentials: who } = await addMember(x.paylink, owner, [role]);
        for (const [method, at] of reads)
          assert.equal(
            (await x.ask(who, method, at)).status,
            role === 'developer' ? 200 : 403,
            `${role} ${at}`,
          );
        for (const [method, at, body] of writes)
          assert.equal(
            (await x.ask(who, method, at, body)).body.code,
            'role_not_allowed',
            `${role} ${method}`,
          );
      }
      const { credentials: admin } = await addMember(x.paylink, owner, ['admin']);
      assert.equal((await x.change(admin, id, { name: 'Ours' })).status, 200);
    });

    test('a connection of another company cannot be read, changed, reordered or deleted', async () => {
      const [owner, other] = [await x.openShop(), await x.openShop()];
      const { id } = await x.connect(owner);
      const one = `${connectionsPath}/${id}`;
      for (const [method, at, body] of [
        ['GET', one],
        ['PATCH', one, { enabled: false }],
        ['POST', `${one}/check`],
        ['DELETE', one],
      ] as const)
        assert.equal((await x.ask(other, method, at, body)).status, 404, method);
      assert.equal((await x.ask(other, 'PUT', orderPath, { connectionIds: [id] })).status, 422);
      assert.deepEqual([await x.listed(other), (await x.listed(owner)).length], [[], 1]);
    });

    test('the audit log has the action and the changed fields, and the public event feed has neither', async () => {
      const who = await x.openShop();
      const { id } = await x.connect(who);
      await x.change(who, id, { name: 'Mine', credentials: { branch: '12' } });
      await x.ask(who, 'POST', `${connectionsPath}/${id}/check`);
      await x.ask(who, 'PUT', orderPath, { connectionIds: [id] });
      await x.ask(who, 'DELETE', `${connectionsPath}/${id}`);
      const trail = await trailOf(who);
      assert.deepEqual(
        trail.map(({ type, data }) => [type, data]),
        [
          ['connection.created', { connectionId: id, processor: 'desk', mode: 'test', currencies: ['EUR'] }],
          ['connection.changed', { connectionId: id, changed: ['credentials.branch', 'name'] }],
          ['connection.checked', { connectionId: id, holder: 'Holder of A-1001' }],
          ['connection.ordered', { connectionIds: [id] }],
          ['connection.deleted', { connectionId: id, processor: 'desk' }],
        ],
      );
      assert.ok(
        trail.every(({ isPublic, actor }) => isPublic === false && /^account:acc_/.test(String(actor))),
      );
      assert.deepEqual((await x.ask(who, 'GET', '/v1/events')).body.data, []);
    });

    test('no secret is in any response, in the log, or in any row of the database', async () => {
      const who = await x.openShop();
      const secrets = ['key', 'seal', 'later'].map((what) => `dk_${what}_${randomUUID()}`);
      const [secretKey = '', seal = '', later = ''] = secrets;
      const headers = { ...credentialHeaders(who), 'idempotency-key': randomUUID() };
      const credentials = { account: 'A-1', secretKey, seal };
      const made = await post(
        `${x.paylink.baseUrl}${connectionsPath}`,
        { processor: 'desk', credentials },
        headers,
      );
      const { id } = made.body;
      const answers = [
        made,
        await x.create(who, { credentials: { secretKey, seal: later, acount: 'x' } }),
        await x.create(who, { credentials: { ...credentials, seal: 'x'.repeat(30) + later } }),
        await x.change(who, id, { credentials: { seal: later } }),
        await x.change(who, id, { credentials: { secretKey: silentKey, seal } }),
        await x.ask(who, 'POST', `${connectionsPath}/${id}/check`),
        await x.ask(who, 'GET', `${connectionsPath}/${id}`),
        await x.ask(who, 'GET', connectionsPath),
        await x.ask(who, 'DELETE', `${connectionsPath}/${id}`),
      ];
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 422, 422, 200, 503, 200, 200, 200, 200],
      );
      const everything = {
        'an answer': JSON.stringify(answers.map(({ body }) => body)),
        'the log': x.paylink.log(),
        'the database': await dumpAllRows(x.paylink.app),
      };
      for (const [where, text] of Object.entries(everything))
        for (const secret of secrets)
          for (const form of [secret, Buffer.from(secret).toString('hex'), btoa(secret)])
            assert.ok(!text.includes(form), `a secret is in ${where}`);
    });

    test('encrypted credentials open only for their own connection, and only unchanged', async () => {
      const who = await x.openShop();
      const [first, second] = [await x.connect(who), await x.connect(who)];
      const { keyring, db } = x.paylink.app.deps;
      const row = await x.stored(who, first.id);
      assert.ok(row?.sealed);
      assert.deepEqual(decryptCredentials(keyring, row), goodCredentials);
      assert.throws(() => decryptCredentials(keyring, { ...row, connectionId: String(second.id) }));
      assert.throws(() => decryptCredentials(keyring, { ...row, companyId: x.paylink.merchant.companyId }));
      const flipped = Buffer.from(row.sealed);
      flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
      assert.throws(() => decryptCredentials(keyring, { ...row, sealed: flipped }));
      await db.asOwner.query('update connections set sealed = $2 where connection_id = $1', [
        second.id,
        row.sealed,
      ]);
      assert.equal(
        (await x.ask(who, 'POST', `${connectionsPath}/${second.id}/check`)).status,
        500,
        'moved by hand',
      );
    });
  });
