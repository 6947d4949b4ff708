// Connections with processors as a merchant makes, changes, orders and deletes them, on both databases, with a processor
// of the tests' own beside the one that is built in.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { checkInTime } from '../src/connections/check-connection.ts';
import { listMethods } from '../src/connections/list-methods.ts';
import { openCredentials, sealCredentials } from '../src/connections/open-connection.ts';
import { findConnection } from '../src/connections/store.ts';
import { settleAttempt } from '../src/payments/settle-attempt.ts';
import { createProcessors, listProcessors } from '../src/processors/registry.ts';
import {
  type Answer,
  type Credentials,
  call,
  createLinkAs,
  credentialHeaders,
  type Json,
  logIn,
  post,
} from './harness/client.ts';
import { badKey, createDesk, goodCredentials, silentKey } from './harness/desk.ts';
import { dumpAllRows, engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { addMember } from './harness/people.ts';
import { press, visit } from './harness/visitor.ts';

const path = '/v1/processor-connections';
const orderPath = '/v1/processor-connection-order';
const faultsOf = ({ body }: Answer) => (body.errors as Json[]).map(({ field, code }) => [field, code]);
const detailsOf = ({ body }: Answer) => (body.errors as Json[]).map(({ detail }) => String(detail));
const credentialOf = ({ credentials }: Json, name: string) =>
  (credentials as Json[]).find((credential) => credential.name === name);

test('a processor that heeds no signal is waited for no longer than it may take', async () => {
  const connection = { connectionId: null, companyId: 'co_x', mode: 'test', credentials: {} } as const;
  const never = { check: () => Promise.withResolvers<never>().promise };
  await assert.rejects(checkInTime(never, connection, 20), { name: 'TimeoutError' });
});

for (const engine of engines)
  describe(`connections (${engine})`, () => {
    const desk = createDesk();
    let paylink: Paylink;
    before(async () => {
      paylink = await startPaylink(engine, {
        processors: (deps) => listProcessors(createProcessors(deps).builtIn, [desk.kind]),
      });
    });
    after(async () => await paylink.stop());
    beforeEach(() => {
      desk.checked.length = 0;
      desk.meanwhile = null;
    });

    const openShop = async (): Promise<Credentials> => await logIn(paylink, await paylink.createMerchant());
    const ask = async (who: Credentials, method: string, at: string, body?: unknown): Promise<Answer> =>
      await call(paylink, who, [method, at], body);
    const create = async (who: Credentials, body: Json = {}): Promise<Answer> =>
      await ask(who, 'POST', path, { processor: 'desk', credentials: goodCredentials, ...body });
    const connect = async (who: Credentials, body: Json = {}): Promise<Json> => {
      const answer = await create(who, body);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    };
    const change = async (who: Credentials, id: unknown, body: Json): Promise<Answer> =>
      await ask(who, 'PATCH', `${path}/${id}`, body);
    const listed = async (who: Credentials): Promise<Json[]> =>
      (await ask(who, 'GET', path)).body.data as Json[];
    const stored = async ({ companyId }: Credentials, id: unknown) =>
      await paylink.app.deps.db.inTenant(companyId, async (tx) => await findConnection(tx, String(id)));
    const kept = async (who: Credentials, id: unknown) => {
      const row = await stored(who, id);
      assert.ok(row);
      return openCredentials(paylink.app.deps.keyring, row);
    };
    const trailOf = async ({ companyId }: Credentials): Promise<Json[]> =>
      await paylink.app.deps.db.inTenant(
        companyId,
        async (tx) =>
          await tx.query<Json>(
            `select type, data, is_public as "isPublic", actor from events
             where company_id = $1 and type like 'connection.%' order by event_id`,
            [companyId],
          ),
      );

    test('the processors there are say what a connection to each needs', async () => {
      const { body } = await ask(await openShop(), 'GET', '/v1/processors');
      const all = body.data as Json[];
      assert.deepEqual(
        all.map(({ processor }) => processor),
        ['sandbox', 'desk'],
      );
      const fields = all[1]?.fields as Json[];
      assert.deepEqual(fields[1], {
        name: 'secretKey',
        label: 'Secret key',
        isSecret: true,
        isRequired: true,
        help: 'Under Keys, dk_….',
      });
    });

    test('a new connection is checked by the processor, and shown without its secrets', async () => {
      const who = await openShop();
      const shown = await connect(who, { name: 'Main account' });
      const { id, ...rest } = shown;
      assert.match(String(id), /^con_[0-9a-hjkmnp-tv-z]{24}$/);
      assert.deepEqual(desk.checked, [
        { connectionId: id, companyId: who.companyId, mode: 'test', credentials: goodCredentials },
      ]);
      const { createdAt, createdBy, ...told } = rest;
      assert.ok(Date.parse(String(createdAt)) > 0 && /^acc_/.test(String(createdBy)));
      assert.deepEqual(told, {
        processor: 'desk',
        title: 'The Desk',
        mode: 'test',
        name: 'Main account',
        holder: 'Holder of A-1001',
        currencies: ['EUR'],
        position: 0,
        enabled: true,
        credentials: [
          { name: 'account', isSecret: false, isSet: true, value: 'A-1001' },
          { name: 'secretKey', isSecret: true, isSet: true, value: null },
          { name: 'seal', isSecret: true, isSet: false, value: null },
          { name: 'branch', isSecret: false, isSet: false, value: null },
        ],
        webhookUrl: `${paylink.baseUrl}/processors/desk/webhook/${id}`,
        health: { isUp: true, downUntil: null },
        notices: { accepted: 0, irrelevant: 0, replayed: 0, mismatched: 0, forged: 0, lastAt: null },
      });
      assert.deepEqual((await ask(who, 'GET', `${path}/${id}`)).body, shown);
      assert.deepEqual(await listed(who), [shown]);
    });

    test('what does not pass is refused by name, all of it at once, and the processor is not asked', async () => {
      const who = await openShop();
      const unknown = await create(who, { processor: 'deks' });
      assert.deepEqual(faultsOf(unknown), [['processor', 'not_allowed']]);
      assert.match(detailsOf(unknown)[0] ?? '', /Did you mean desk\?/);
      assert.match(detailsOf(await create(who, { processor: 'xyzzyx' }))[0] ?? '', /Known: sandbox, desk\./);
      const wrong = await create(who, {
        currencies: ['EUR', 'USD'],
        credentials: { secretkey: 'x', account: 'x'.repeat(61), seal: 'a\u0007b' },
      });
      assert.deepEqual(faultsOf(wrong), [
        ['credentials.secretkey', 'unknown_field'],
        ['credentials.account', 'too_long'],
        ['credentials.secretKey', 'missing'],
        ['credentials.seal', 'not_printable'],
        ['currencies', 'not_allowed'],
      ]);
      assert.match(detailsOf(wrong)[0] ?? '', /Did you mean secretKey\?/);
      const strange = await create(who, { postion: 1 });
      assert.deepEqual(faultsOf(strange), [['postion', 'unknown_field']]);
      assert.deepEqual([desk.checked, await listed(who)], [[], []]);
    });

    test('credentials that the processor refuses, or says nothing about, are not kept', async () => {
      const who = await openShop();
      const bad = await create(who, { credentials: { ...goodCredentials, secretKey: badKey } });
      assert.deepEqual([bad.status, faultsOf(bad)], [422, [['credentials.secretKey', 'refused']]]);
      const silent = await create(who, { credentials: { ...goodCredentials, secretKey: silentKey } });
      assert.deepEqual([silent.status, silent.body.code], [503, 'processor_unreachable']);
      assert.deepEqual([desk.checked.length, await listed(who)], [2, []]);
      const { id } = await connect(who);
      for (const secretKey of [badKey, silentKey])
        assert.ok((await change(who, id, { name: 'other', credentials: { secretKey } })).status > 400);
      assert.deepEqual(await kept(who, id), goodCredentials);
      assert.equal((await listed(who))[0]?.name, 'The Desk', 'nothing of a refused change holds');
    });

    test('the processor is asked with no transaction open', async () => {
      const who = await openShop();
      // On the embedded database, which has one connection, this would wait for itself.
      desk.meanwhile = async () => void (await listed(who));
      const { id } = await connect(who);
      assert.equal((await change(who, id, { credentials: { seal: 'one' } })).status, 200);
      assert.equal((await ask(who, 'POST', `${path}/${id}/check`)).status, 200);
    });

    test('credentials that are given take the place of their like, the rest stay, and an empty one is taken away', async () => {
      const who = await openShop();
      const { id } = await connect(who, { credentials: { ...goodCredentials, seal: 's-1', branch: '7' } });
      const changed = await change(who, id, { credentials: { account: ' A-2002\n', seal: '' } });
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      const whole = { account: 'A-2002', secretKey: goodCredentials.secretKey, branch: '7' };
      assert.deepEqual([await kept(who, id), desk.checked.at(-1)?.credentials], [whole, whole]);
      assert.equal(changed.body.holder, 'Holder of A-2002');
      assert.equal(credentialOf(changed.body, 'seal')?.isSet, false);
      assert.equal(credentialOf(changed.body, 'branch')?.value, '7');
      const emptied = await change(who, id, { credentials: { secretKey: ' ' } });
      assert.deepEqual(faultsOf(emptied), [['credentials.secretKey', 'missing']]);
      assert.deepEqual(faultsOf(await change(who, id, { credentials: { sael: '' } })), [
        ['credentials.sael', 'unknown_field'],
      ]);
    });

    test('without credentials a change asks nobody and leaves the seal alone; new ones are sealed anew', async () => {
      const who = await openShop();
      const { id } = await connect(who);
      const before = (await stored(who, id))?.sealed;
      desk.checked.length = 0;
      const fields = { name: 'Spare', currencies: ['EUR'], position: 9, enabled: false };
      const { body } = await change(who, id, fields);
      assert.deepEqual(
        [body.name, body.currencies, body.position, body.enabled],
        ['Spare', ['EUR'], 9, false],
      );
      assert.deepEqual([desk.checked, (await stored(who, id))?.sealed], [[], before]);
      await change(who, id, { credentials: { secretKey: goodCredentials.secretKey } });
      assert.notDeepEqual((await stored(who, id))?.sealed, before);
      assert.deepEqual(faultsOf(await change(who, id, { currencies: ['USD'] })), [
        ['currencies', 'not_allowed'],
      ]);
    });

    test('a change of credentials gives way when somebody else has changed them while the processor was asked', async () => {
      const who = await openShop();
      const { id } = await connect(who);
      desk.meanwhile = async () => {
        desk.meanwhile = null;
        assert.equal((await change(who, id, { credentials: { account: 'A-first' } })).status, 200);
      };
      const late = await change(who, id, { name: 'Late', credentials: { branch: '8' } });
      assert.deepEqual([late.status, late.body.code], [409, 'connection_changed']);
      assert.deepEqual(await kept(who, id), { ...goodCredentials, account: 'A-first' });
      desk.meanwhile = async () => {
        desk.meanwhile = null;
        assert.equal((await change(who, id, { name: 'Renamed' })).status, 200);
      };
      const beside = await change(who, id, { credentials: { branch: '8' } });
      assert.deepEqual([beside.status, beside.body.name], [200, 'Renamed'], 'another field is no conflict');
    });

    test('a connection deleted while the processor is asked about a change stays deleted', async () => {
      const who = await openShop();
      const { id } = await connect(who);
      desk.meanwhile = async () => void (await ask(who, 'DELETE', `${path}/${id}`));
      assert.equal((await change(who, id, { credentials: { branch: '8' } })).status, 404);
      assert.equal((await stored(who, id))?.sealed, null);
    });

    test('one whose processor this version does not know can be looked at, switched off and deleted', async () => {
      const who = await openShop();
      const { id } = await connect(who);
      await paylink.app.deps.db.asOwner.query(
        `update connections set processor = 'later' where connection_id = $1`,
        [id],
      );
      const { body } = await ask(who, 'GET', `${path}/${id}`);
      assert.deepEqual([body.title, body.credentials, body.webhookUrl], ['later', [], null]);
      assert.equal((await change(who, id, { enabled: false })).body.enabled, false);
      assert.equal((await ask(who, 'DELETE', `${path}/${id}`)).status, 200);
    });

    test('the processor is asked again on request, and its word changes nothing', async () => {
      const who = await openShop();
      const { id, ...shown } = await connect(who);
      const checked = await ask(who, 'POST', `${path}/${id}/check`);
      assert.deepEqual([checked.status, checked.body], [200, { id, ...shown }]);
      const { db, keyring } = paylink.app.deps;
      for (const [secretKey, status] of [
        [badKey, 422],
        [silentKey, 503],
      ] as const) {
        const place = { companyId: who.companyId, connectionId: String(id) };
        const sealed = sealCredentials(keyring, place, { ...goodCredentials, secretKey });
        await db.asOwner.query('update connections set sealed = $2 where connection_id = $1', [id, sealed]);
        assert.equal((await ask(who, 'POST', `${path}/${id}/check`)).status, status);
      }
      assert.equal((await listed(who))[0]?.enabled, true);
    });

    test('the order names all connections once and sets their positions; the page follows it', async () => {
      const who = await openShop();
      const [a, b] = [await connect(who, { name: 'A' }), await connect(who, { name: 'B' })];
      const sandbox = await connect(who, { processor: 'sandbox', credentials: {} });
      assert.deepEqual(
        (await listed(who)).map(({ name, position }) => [name, position]),
        [
          ['A', 0],
          ['B', 1],
          ['Sandbox', 2],
        ],
      );
      const put = async (...ids: unknown[]): Promise<Answer> =>
        await ask(who, 'PUT', orderPath, { connectionIds: ids });
      for (const ids of [[], [a.id], [a.id, b.id, 'con_x'], [a.id, b.id, b.id, sandbox.id]])
        assert.equal((await put(...ids)).status, 422, String(ids));
      assert.match(detailsOf(await put(a.id))[0] ?? '', new RegExp(String(sandbox.id)));
      const { body } = await put(sandbox.id, b.id, a.id);
      assert.deepEqual(
        (body.data as Json[]).map(({ name, position }) => [name, position]),
        [
          ['Sandbox', 0],
          ['B', 1],
          ['A', 2],
        ],
      );
      assert.deepEqual(await listed(who), body.data);
    });

    test('the processor that is built in can be switched off by a connection to it', async () => {
      const who = await openShop();
      await connect(who);
      const { processors, db } = paylink.app.deps;
      const look = { mode: 'test', currency: 'EUR', now: new Date() } as const;
      const offered = async () =>
        await db.inTenant(who.companyId, async (tx) =>
          (await listMethods(tx, processors, look)).map(({ kind }) => kind.name),
        );
      assert.deepEqual(await offered(), ['desk', 'sandbox']);
      const { id } = await connect(who, { processor: 'sandbox', credentials: {}, position: 0 });
      assert.deepEqual((await offered()).sort(), ['desk', 'sandbox']);
      await change(who, id, { enabled: false });
      assert.deepEqual(await offered(), ['desk']);
    });

    /** A payment under way at the desk. */
    const begin = async (who: Credentials, id: unknown): Promise<{ code: string; attemptId: string }> => {
      const { link, code } = await createLinkAs(paylink, who);
      await press(await visit(link), { form: 0, extra: { method: String(id) } });
      const [row] = await paylink.app.deps.db.asOwner.query<{ id: string }>(
        'select attempt_id as id from attempts join payments using (company_id, payment_id) where code = $1',
        [code],
      );
      return { code, attemptId: String(row?.id) };
    };

    test('a connection is deleted only when no payment and no refund is under way through it; then its credentials are gone', async () => {
      const who = await openShop();
      const { id } = await connect(who);
      const remove = async () => await ask(who, 'DELETE', `${path}/${id}`);
      const { code, attemptId } = await begin(who, id);
      const during = await remove();
      assert.deepEqual([during.status, during.body.code], [409, 'connection_in_use']);
      const { deps } = paylink.app;
      await settleAttempt(deps, { companyId: who.companyId, attemptId, actor: 'job:test' });
      const refund = { amount: 5 };
      await post(`${paylink.baseUrl}/v1/payments/${code}/refunds`, refund, credentialHeaders(who));
      assert.equal((await remove()).body.code, 'connection_in_use', 'a refund is under way');
      await deps.db.asOwner.query(`update refunds set state = 'succeeded' where company_id = $1`, [
        who.companyId,
      ]);
      const removed = await remove();
      assert.deepEqual([removed.status, removed.body.enabled], [200, false]);
      assert.deepEqual([(await stored(who, id))?.sealed, (await stored(who, id))?.keyId], [null, null]);
      for (const answer of [
        await remove(),
        await ask(who, 'GET', `${path}/${id}`),
        await change(who, id, { enabled: true }),
        await ask(who, 'POST', `${path}/${id}/check`),
      ])
        assert.equal(answer.status, 404);
      assert.deepEqual(await listed(who), []);
    });

    test('two creations under one Idempotency-Key make one connection, at once and one after the other', async () => {
      const who = await openShop();
      const headers = { ...credentialHeaders(who), 'idempotency-key': randomUUID() };
      const body = { processor: 'desk', credentials: goodCredentials };
      const send = async () => await post(paylink.baseUrl + path, body, headers);
      const answers = await Promise.all([send(), send(), send()]);
      const made = answers.filter(({ status }) => status === 200);
      assert.ok(made.length > 0 && answers.every(({ status }) => status === 200 || status === 409));
      made.push(await send());
      assert.deepEqual(
        made.map((answer) => answer.body.id),
        made.map(() => made[0]?.body.id),
      );
      assert.equal((await listed(who)).length, 1);
    });

    test('a company has at most 20 connections in a mode, and each new one stands at the end', async () => {
      const who = await openShop();
      const answers = await Promise.all(Array.from({ length: 23 }, () => create(who)));
      assert.deepEqual(answers.map(({ status, body }) => (status === 200 ? 'made' : body.code)).sort(), [
        ...Array(20).fill('made'),
        ...Array(3).fill('too_many_connections'),
      ]);
      assert.deepEqual(
        (await listed(who)).map(({ position }) => position),
        Array.from({ length: 20 }, (_, index) => index),
      );
    });

    test('owners and admins manage connections, developers look at them, nobody else does', async () => {
      const owner = await openShop();
      const { id } = await connect(owner);
      const one = `${path}/${id}`;
      const reads = [
        ['GET', '/v1/processors'],
        ['GET', path],
        ['GET', one],
      ] as const;
      const writes = [
        ['POST', path, { processor: 'desk', credentials: goodCredentials }],
        ['PATCH', one, { name: 'Mine' }],
        ['POST', `${one}/check`],
        ['PUT', orderPath, { connectionIds: [] }],
        ['DELETE', one],
      ] as const;
      for (const role of ['developer', 'support', 'viewer'] as const) {
        const { credentials: who } = await addMember(paylink, owner, [role]);
        for (const [method, at] of reads)
          assert.equal(
            (await ask(who, method, at)).status,
            role === 'developer' ? 200 : 403,
            `${role} ${at}`,
          );
        for (const [method, at, body] of writes)
          assert.equal((await ask(who, method, at, body)).body.code, 'role_not_allowed', `${role} ${method}`);
      }
      const { credentials: admin } = await addMember(paylink, owner, ['admin']);
      assert.equal((await change(admin, id, { name: 'Ours' })).status, 200);
    });

    test('a connection of another company is nobody’s: not shown, not changed, not ordered, not deleted', async () => {
      const [owner, other] = [await openShop(), await openShop()];
      const { id } = await connect(owner);
      const one = `${path}/${id}`;
      for (const [method, at, body] of [
        ['GET', one],
        ['PATCH', one, { enabled: false }],
        ['POST', `${one}/check`],
        ['DELETE', one],
      ] as const)
        assert.equal((await ask(other, method, at, body)).status, 404, method);
      assert.equal((await ask(other, 'PUT', orderPath, { connectionIds: [id] })).status, 422);
      assert.deepEqual([await listed(other), (await listed(owner)).length], [[], 1]);
    });

    test('the trail tells what was done and which fields were touched, and no merchant’s feed does', async () => {
      const who = await openShop();
      const { id } = await connect(who);
      await change(who, id, { name: 'Mine', credentials: { branch: '12' } });
      await ask(who, 'POST', `${path}/${id}/check`);
      await ask(who, 'PUT', orderPath, { connectionIds: [id] });
      await ask(who, 'DELETE', `${path}/${id}`);
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
      assert.deepEqual((await ask(who, 'GET', '/v1/events')).body.data, []);
    });

    test('no secret is in any answer, in the log, or in any row of the database', async () => {
      const who = await openShop();
      const secrets = ['key', 'seal', 'later'].map((what) => `dk_${what}_${randomUUID()}`);
      const [secretKey = '', seal = '', later = ''] = secrets;
      const headers = { ...credentialHeaders(who), 'idempotency-key': randomUUID() };
      const credentials = { account: 'A-1', secretKey, seal };
      const made = await post(`${paylink.baseUrl}${path}`, { processor: 'desk', credentials }, headers);
      const { id } = made.body;
      const answers = [
        made,
        await create(who, { credentials: { secretKey, seal: later, acount: 'x' } }),
        await create(who, { credentials: { ...credentials, seal: 'x'.repeat(30) + later } }),
        await change(who, id, { credentials: { seal: later } }),
        await change(who, id, { credentials: { secretKey: silentKey, seal } }),
        await ask(who, 'POST', `${path}/${id}/check`),
        await ask(who, 'GET', `${path}/${id}`),
        await ask(who, 'GET', path),
        await ask(who, 'DELETE', `${path}/${id}`),
      ];
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 422, 422, 200, 503, 200, 200, 200, 200],
      );
      const everything = {
        'an answer': JSON.stringify(answers.map(({ body }) => body)),
        'the log': paylink.log(),
        'the database': await dumpAllRows(paylink.app),
      };
      for (const [where, text] of Object.entries(everything))
        for (const secret of secrets)
          for (const form of [secret, Buffer.from(secret).toString('hex'), btoa(secret)])
            assert.ok(!text.includes(form), `a secret is in ${where}`);
    });

    test('what is sealed for one connection opens for no other, and not after a byte was changed', async () => {
      const who = await openShop();
      const [first, second] = [await connect(who), await connect(who)];
      const { keyring, db } = paylink.app.deps;
      const row = await stored(who, first.id);
      assert.ok(row?.sealed);
      assert.deepEqual(openCredentials(keyring, row), goodCredentials);
      assert.throws(() => openCredentials(keyring, { ...row, connectionId: String(second.id) }));
      assert.throws(() => openCredentials(keyring, { ...row, companyId: paylink.merchant.companyId }));
      const flipped = Buffer.from(row.sealed);
      flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
      assert.throws(() => openCredentials(keyring, { ...row, sealed: flipped }));
      await db.asOwner.query('update connections set sealed = $2 where connection_id = $1', [
        second.id,
        row.sealed,
      ]);
      assert.equal((await ask(who, 'POST', `${path}/${second.id}/check`)).status, 500, 'moved by hand');
    });
  });
