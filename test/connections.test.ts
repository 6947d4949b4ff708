// A merchant creates, changes and orders connections, with a stub processor besides the sandbox. On both databases.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { checkWithTimeout } from '../src/connections/check-connection.ts';
import { listMethods } from '../src/connections/list-methods.ts';
import { encryptCredentials } from '../src/connections/open-connection.ts';
import type { Answer, Json } from './harness/client.ts';
import {
  type ConnectionFixture,
  connectionsPath,
  faultsOf,
  orderPath,
  startConnectionFixture,
} from './harness/connection-fixture.ts';
import { engines } from './harness/paylink.ts';
import { badKey, goodCredentials, silentKey } from './harness/stub-processor.ts';

const detailsOf = ({ body }: Answer) => (body.errors as Json[]).map(({ detail }) => String(detail));
const credentialOf = ({ credentials }: Json, name: string) =>
  (credentials as Json[]).find((credential) => credential.name === name);

test('a check ends at its timeout, even if the processor ignores the signal', async () => {
  const connection = { connectionId: null, companyId: 'co_x', mode: 'test', credentials: {} } as const;
  const never = { check: () => Promise.withResolvers<never>().promise };
  await assert.rejects(checkWithTimeout(never, connection, 20), { name: 'TimeoutError' });
});

for (const engine of engines)
  describe(`connections (${engine})`, () => {
    let x: ConnectionFixture;
    before(async () => {
      x = await startConnectionFixture(engine);
    });
    after(async () => await x.paylink.stop());
    beforeEach(() => {
      x.stubProcessor.checked.length = 0;
      x.stubProcessor.meanwhile = null;
    });

    test('the list of processors has the fields that a connection requires', async () => {
      const { body } = await x.ask(await x.openShop(), 'GET', '/v1/processors');
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

    test('a new connection is checked with the processor, and shown without its secrets', async () => {
      const who = await x.openShop();
      const shown = await x.connect(who, { name: 'Main account' });
      const { id, connectionId, ...rest } = shown;
      assert.equal(id, connectionId);
      assert.match(String(id), /^con_[0-9a-hjkmnp-tv-z]{24}$/);
      assert.deepEqual(x.stubProcessor.checked, [
        { connectionId: id, companyId: who.companyId, mode: 'test', credentials: goodCredentials },
      ]);
      const { createdAt, createdBy, ...received } = rest;
      assert.ok(Date.parse(String(createdAt)) > 0 && /^acc_/.test(String(createdBy)));
      assert.deepEqual(received, {
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
        webhookUrl: `${x.paylink.baseUrl}/processors/desk/webhook/${id}`,
        health: { isUp: true, recoversAt: null, downUntil: null },
        notices: { accepted: 0, irrelevant: 0, replayed: 0, mismatched: 0, forged: 0, lastAt: null },
      });
      assert.deepEqual((await x.ask(who, 'GET', `${connectionsPath}/${id}`)).body, shown);
      assert.deepEqual(await x.listed(who), [shown]);
    });

    test('all invalid fields are reported at once, by name, without asking the processor', async () => {
      const who = await x.openShop();
      const unknown = await x.create(who, { processor: 'deks' });
      assert.deepEqual(faultsOf(unknown), [['processor', 'not_allowed']]);
      assert.match(detailsOf(unknown)[0] ?? '', /Did you mean desk\?/);
      assert.match(
        detailsOf(await x.create(who, { processor: 'xyzzyx' }))[0] ?? '',
        /Known: sandbox, desk\./,
      );
      const wrong = await x.create(who, {
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
      const strange = await x.create(who, { postion: 1 });
      assert.deepEqual(faultsOf(strange), [['postion', 'unknown_field']]);
      assert.deepEqual([x.stubProcessor.checked, await x.listed(who)], [[], []]);
    });

    test('credentials that the processor rejects or cannot check are not stored', async () => {
      const who = await x.openShop();
      const bad = await x.create(who, { credentials: { ...goodCredentials, secretKey: badKey } });
      assert.deepEqual([bad.status, faultsOf(bad)], [422, [['credentials.secretKey', 'refused']]]);
      const silent = await x.create(who, { credentials: { ...goodCredentials, secretKey: silentKey } });
      assert.deepEqual([silent.status, silent.body.code], [503, 'processor_unreachable']);
      assert.deepEqual([x.stubProcessor.checked.length, await x.listed(who)], [2, []]);
      const { id } = await x.connect(who);
      for (const secretKey of [badKey, silentKey])
        assert.ok((await x.change(who, id, { name: 'other', credentials: { secretKey } })).status > 400);
      assert.deepEqual(await x.kept(who, id), goodCredentials);
      assert.equal((await x.listed(who))[0]?.name, 'The Desk', 'nothing of a refused change holds');
    });

    test('the processor is asked outside any transaction', async () => {
      const who = await x.openShop();
      // On the embedded database, which has one connection, this would wait for itself.
      x.stubProcessor.meanwhile = async () => void (await x.listed(who));
      const { id } = await x.connect(who);
      assert.equal((await x.change(who, id, { credentials: { seal: 'one' } })).status, 200);
      assert.equal((await x.ask(who, 'POST', `${connectionsPath}/${id}/check`)).status, 200);
    });

    test('new credentials replace those of the same name, omitted ones stay, and an empty one is removed', async () => {
      const who = await x.openShop();
      const { id } = await x.connect(who, { credentials: { ...goodCredentials, seal: 's-1', branch: '7' } });
      const changed = await x.change(who, id, { credentials: { secretKey: ' dk_good_rolled\n', seal: '' } });
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      const whole = { account: 'A-1001', secretKey: 'dk_good_rolled', branch: '7' };
      assert.deepEqual([await x.kept(who, id), x.stubProcessor.checked.at(-1)?.credentials], [whole, whole]);
      assert.equal(credentialOf(changed.body, 'seal')?.isSet, false);
      assert.equal(credentialOf(changed.body, 'branch')?.value, '7');
      const emptied = await x.change(who, id, { credentials: { secretKey: ' ' } });
      assert.deepEqual(faultsOf(emptied), [['credentials.secretKey', 'missing']]);
      assert.deepEqual(faultsOf(await x.change(who, id, { credentials: { sael: '' } })), [
        ['credentials.sael', 'unknown_field'],
      ]);
    });

    test('credentials of another account are refused', async () => {
      const who = await x.openShop();
      const { id } = await x.connect(who);
      const other = await x.change(who, id, { credentials: { account: 'A-2002' } });
      assert.deepEqual([other.status, faultsOf(other)], [422, [['credentials', 'other_account']]]);
      assert.match(
        detailsOf(other)[0] ?? '',
        /another account, Holder of A-2002\..* Create a new connection/,
      );
      assert.deepEqual(await x.kept(who, id), goodCredentials);
    });

    test('a change without credentials asks no processor and keeps the ciphertext; new credentials are encrypted again', async () => {
      const who = await x.openShop();
      const { id } = await x.connect(who);
      const before = (await x.stored(who, id))?.sealed;
      x.stubProcessor.checked.length = 0;
      const fields = { name: 'Spare', currencies: ['EUR'], position: 9, enabled: false };
      const { body } = await x.change(who, id, fields);
      assert.deepEqual(
        [body.name, body.currencies, body.position, body.enabled],
        ['Spare', ['EUR'], 9, false],
      );
      assert.deepEqual([x.stubProcessor.checked, (await x.stored(who, id))?.sealed], [[], before]);
      await x.change(who, id, { credentials: { secretKey: goodCredentials.secretKey } });
      assert.notDeepEqual((await x.stored(who, id))?.sealed, before);
      assert.deepEqual(faultsOf(await x.change(who, id, { currencies: ['USD'] })), [
        ['currencies', 'not_allowed'],
      ]);
    });

    test('a change of credentials is refused if they changed while the processor was asked', async () => {
      const who = await x.openShop();
      const { id } = await x.connect(who);
      x.stubProcessor.meanwhile = async () => {
        x.stubProcessor.meanwhile = null;
        assert.equal((await x.change(who, id, { credentials: { seal: 'first' } })).status, 200);
      };
      const late = await x.change(who, id, { name: 'Late', credentials: { branch: '8' } });
      assert.deepEqual([late.status, late.body.code], [409, 'connection_changed']);
      assert.deepEqual(await x.kept(who, id), { ...goodCredentials, seal: 'first' });
      x.stubProcessor.meanwhile = async () => {
        x.stubProcessor.meanwhile = null;
        assert.equal((await x.change(who, id, { name: 'Renamed' })).status, 200);
      };
      const beside = await x.change(who, id, { credentials: { branch: '8' } });
      assert.deepEqual([beside.status, beside.body.name], [200, 'Renamed'], 'another field is no conflict');
    });

    test('a connection that is deleted during the check of a change stays deleted', async () => {
      const who = await x.openShop();
      const { id } = await x.connect(who);
      x.stubProcessor.meanwhile = async () => void (await x.ask(who, 'DELETE', `${connectionsPath}/${id}`));
      assert.equal((await x.change(who, id, { credentials: { branch: '8' } })).status, 404);
      assert.equal((await x.stored(who, id))?.sealed, null);
    });

    test('a connection to an unknown processor can be read, disabled and deleted', async () => {
      const who = await x.openShop();
      const { id } = await x.connect(who);
      await x.paylink.app.deps.db.asOwner.query(
        `update connections set processor = 'later' where connection_id = $1`,
        [id],
      );
      const { body } = await x.ask(who, 'GET', `${connectionsPath}/${id}`);
      assert.deepEqual([body.title, body.credentials, body.webhookUrl], ['later', [], null]);
      assert.equal((await x.change(who, id, { enabled: false })).body.enabled, false);
      assert.equal((await x.ask(who, 'DELETE', `${connectionsPath}/${id}`)).status, 200);
    });

    test('a check on request asks the processor, and a connection that failed is healthy if it answers; nothing else changes', async () => {
      const who = await x.openShop();
      const { id, ...shown } = await x.connect(who);
      const { db, keyring } = x.paylink.app.deps;
      const failing = async () => (await x.stored(who, String(id)))?.openUntil ?? null;
      await db.asOwner.query(
        'update connections set failures = 3, open_until = now() where connection_id = $1',
        [id],
      );
      assert.notEqual(await failing(), null);
      const checked = await x.ask(who, 'POST', `${connectionsPath}/${id}/check`);
      assert.deepEqual([checked.status, checked.body], [200, { id, ...shown }]);
      assert.equal(await failing(), null);
      for (const [secretKey, status] of [
        [badKey, 422],
        [silentKey, 503],
      ] as const) {
        const place = { companyId: who.companyId, connectionId: String(id) };
        const sealed = encryptCredentials(keyring, place, { ...goodCredentials, secretKey });
        await db.asOwner.query('update connections set sealed = $2 where connection_id = $1', [id, sealed]);
        assert.equal((await x.ask(who, 'POST', `${connectionsPath}/${id}/check`)).status, status);
      }
      assert.equal((await x.listed(who))[0]?.enabled, true);
    });

    test('the order lists each connection once and sets the positions that the page uses', async () => {
      const who = await x.openShop();
      const [a, b] = [await x.connect(who, { name: 'A' }), await x.connect(who, { name: 'B' })];
      const sandbox = await x.connect(who, { processor: 'sandbox', credentials: {} });
      assert.deepEqual(
        (await x.listed(who)).map(({ name, position }) => [name, position]),
        [
          ['A', 0],
          ['B', 1],
          ['Sandbox', 2],
        ],
      );
      const put = async (...ids: unknown[]): Promise<Answer> =>
        await x.ask(who, 'PUT', orderPath, { connectionIds: ids });
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
      assert.deepEqual(await x.listed(who), body.data);
    });

    test('a connection to the sandbox can disable it', async () => {
      const who = await x.openShop();
      await x.connect(who);
      const { processors, db } = x.paylink.app.deps;
      const due = { mode: 'test', currency: 'EUR', amountMinor: 1999 } as const;
      const offered = async () =>
        await db.inTenant({ companyId: who.companyId, mode: 'test' }, async (tx) =>
          (await listMethods(tx, processors, { amountsDue: [due], now: new Date() }))[0]?.map(
            ({ kind }) => kind.name,
          ),
        );
      assert.deepEqual(await offered(), ['sandbox', 'desk']);
      const { id } = await x.connect(who, { processor: 'sandbox', credentials: {}, position: 0 });
      assert.deepEqual((await offered())?.sort(), ['desk', 'sandbox']);
      await x.change(who, id, { enabled: false });
      assert.deepEqual(await offered(), ['desk']);
    });
  });
