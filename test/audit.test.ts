// The audit log over the API: its entries, filters, pages and tenant isolation, and that it contains no secret. On both
// databases.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '../src/base/ids.ts';
import { appendEvents } from '../src/events/append-event.ts';
import { auditScanRows, listAudit } from '../src/events/list-audit.ts';
import {
  type Answer,
  type Credentials,
  call,
  createLinkAs,
  credentialHeaders,
  type Json,
  logIn,
} from './harness/client.ts';
import { engines, type Merchant, type Paylink, password, startPaylink } from './harness/paylink.ts';
import { addMember, invite, type Person } from './harness/people.ts';
import { addTotp } from './harness/second-factors.ts';
import { payWith } from './harness/visitor.ts';
import { loopbackSettings, postEndpoint } from './harness/webhook-endpoints.ts';

type Query = Record<string, string>;
type Entry = Json & { id: string; type: string; actor: string; actorEmail: string | null; data: Json };

const path = (query: Query) => `/v1/audit-events?${new URLSearchParams(query)}`;
const typesOf = (entries: readonly Entry[]) => entries.map(({ type }) => type);
const faultsOf = ({ body }: Answer) => (body.errors as Json[]).map(({ field, code }) => [field, code]);

for (const engine of engines)
  describe(`the audit log on the ${engine} database`, () => {
    let paylink: Paylink;
    let merchant: Merchant;
    let owner: Credentials;
    let admin: Person;
    let code: string;
    let secrets: string[];

    const ask = async (query: Query = {}, who: Credentials = owner): Promise<Answer> =>
      await call(paylink, who, ['GET', path(query)]);
    /** The entries of a query, which must fit on one page. */
    const find = async (query: Query): Promise<Entry[]> => {
      const { status, body } = await ask({ limit: '100', ...query });
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.nextCursor, null);
      return body.data as Entry[];
    };
    const must = async (who: Credentials, [method, to]: [string, string], body?: Json): Promise<Json> => {
      const answer = await call(paylink, who, [method, to], body);
      assert.ok(answer.status < 300, `${method} ${to}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };

    before(async () => {
      paylink = await startPaylink(engine, { settings: loopbackSettings });
      merchant = await paylink.createMerchant();
      owner = await logIn(paylink, merchant);
      admin = await addMember(paylink, owner, ['admin']);
      const link = await createLinkAs(paylink, admin.credentials);
      code = link.code;
      await payWith(link.link, { number: '4242424242424242' });
      await must(owner, ['POST', `/v1/payments/${code}/refunds`], { amount: 1 });
      const key = await must(owner, ['POST', '/v1/api-keys'], { name: 'Shop' });
      const hook = (await postEndpoint(paylink, owner, { url: 'http://127.0.0.1:1029/' })).body;
      const rolled = await must(owner, ['POST', `/v1/webhook-endpoints/${hook.id}/roll-secret`], {});
      const delivery = await must(owner, ['POST', `/v1/webhook-endpoints/${hook.id}/test`]);
      await must(owner, ['POST', `/v1/webhook-deliveries/${delivery.deliveryId}/resend`]);
      await must(owner, ['PATCH', '/v1/company'], { name: '<b>\u05d0 & 🎈</b>' });
      const app = await addTotp(paylink, admin.credentials);
      const { token } = await invite(paylink, owner, { email: 'new@example.com', roles: ['viewer'] });
      const file = `${paylink.baseUrl}/v1/exports/payments?email=ada%40example.com`;
      await (await fetch(file, { headers: credentialHeaders(owner) })).text();
      secrets = [String(key.key), String(hook.secret), String(rolled.secret), token, password];
      secrets.push(...app.recoveryCodes, owner.token, owner.apiKey);
    });
    after(async () => await paylink.stop());

    test('it lists payments, members, keys, settings, logins and exports, newest first, with their actors', async () => {
      const entries = await find({});
      const types = typesOf(entries);
      for (const type of [
        ...['payment.created', 'payment.paid', 'refund.succeeded', 'attempt.succeeded', 'key.created'],
        ...['company.changed', 'member.joined', 'member.invited', 'session.opened', 'payments.exported'],
        ...['webhook_endpoint.created', 'webhook_endpoint.secret_rolled', 'webhook_delivery.resent'],
      ])
        assert.ok(types.includes(type), `${type} is missing: ${types}`);
      const ids = entries.map(({ id }) => id);
      assert.deepEqual(ids, [...ids].sort().reverse());
      const byType = new Map(entries.map((entry) => [entry.type, entry]));
      const { email: adminEmail } = admin;
      const created = byType.get('payment.created');
      assert.deepEqual(
        [created?.PaymentLinkCode, created?.actor, created?.actorEmail],
        [code, `account:${admin.accountId}`, adminEmail],
      );
      assert.deepEqual(
        [byType.get('payment.paid')?.actor, byType.get('payment.paid')?.actorEmail],
        ['processor:sandbox', null],
      );
      assert.equal(byType.get('refund.succeeded')?.actor, 'processor:sandbox');
      assert.equal(byType.get('key.created')?.actorEmail, merchant.email);
      assert.equal(byType.get('key.created')?.PaymentLinkCode, null);
      assert.deepEqual(byType.get('payments.exported')?.data, { format: 'csv', filters: ['email'] });
    });

    test('it contains no secret', async () => {
      const { status, body } = await ask({ limit: '100' });
      assert.equal(status, 200);
      const text = JSON.stringify(body);
      assert.ok(secrets.length > 10 && secrets.every((secret) => secret.length > 8));
      for (const secret of secrets) assert.ok(!text.includes(secret), `it shows ${secret}`);
    });

    test('each filter works alone and combined with others', async () => {
      assert.deepEqual(typesOf(await find({ type: 'key.created' })), ['key.created']);
      const hooks = typesOf(await find({ type: 'webhook_endpoint.*' }));
      assert.deepEqual(
        hooks,
        ['test', 'secret_rolled', 'created'].map((word) => `webhook_endpoint.${word}`),
      );
      const byAdmin = await find({ actor: `account:${admin.accountId}` });
      assert.ok(byAdmin.length > 2 && byAdmin.every(({ actorEmail }) => actorEmail === admin.email));
      const byPeople = await find({ actor: 'account:*', type: 'payment.*' });
      assert.deepEqual(typesOf(byPeople), ['payment.created']);
      assert.deepEqual(await find({ type: 'key' }), []);
      assert.deepEqual(await find({ type: 'key_created' }), []);
    });

    test('events about the company have no payment; events about a payment are its history in reverse', async () => {
      const own = await find({ about: 'company' });
      assert.ok(own.length > 8 && own.every(({ PaymentLinkCode }) => PaymentLinkCode === null));
      const all = await find({});
      assert.deepEqual(
        own,
        all.filter(({ PaymentLinkCode }) => PaymentLinkCode === null),
      );
      const ofPayment = await find({ PaymentLinkCode: code });
      const { data } = await must(owner, ['GET', `/v1/payments/${code}/events?limit=100`]);
      const byId = (entries: Entry[]) => entries.toSorted((a, b) => (a.id < b.id ? 1 : -1));
      assert.deepEqual(ofPayment, byId(data as Entry[]));
      assert.ok(ofPayment.some(({ actorEmail }) => actorEmail === admin.email));
      assert.deepEqual(typesOf(await find({ PaymentLinkCode: code, type: 'payment.paid' })), [
        'payment.paid',
      ]);
    });

    test('the period includes its start and excludes its end', async () => {
      const [last] = await find({ type: 'company.changed' });
      const at = String(last?.createdAt);
      const next = new Date(new Date(at).getTime() + 1).toISOString();
      assert.ok((await find({ from: at, to: next })).some(({ id }) => id === last?.id));
      assert.ok(!(await find({ to: at })).some(({ id }) => id === last?.id));
      assert.ok(!(await find({ from: next })).some(({ id }) => id === last?.id));
    });

    test('pages return every event once, with and without filters', async () => {
      for (const query of [{}, { about: 'company' }, { actor: 'account:*' }, { PaymentLinkCode: code }]) {
        const whole = (await find(query)).map(({ id }) => id);
        const ids: unknown[] = [];
        let cursor: string | null = null;
        do {
          const { status, body } = await ask({ ...query, limit: '3', ...(cursor ? { cursor } : {}) });
          assert.equal(status, 200, JSON.stringify(body));
          ids.push(...(body.data as Entry[]).map(({ id }) => id));
          cursor = body.nextCursor as string | null;
        } while (cursor !== null);
        assert.deepEqual(ids, whole, JSON.stringify(query));
      }
    });

    test('a cursor is valid only for its own query', async () => {
      const { body } = await ask({ limit: '2' });
      const cursor = String(body.nextCursor);
      const other = await logIn(paylink, await paylink.createMerchant());
      for (const [query, who] of [
        [{ about: 'company' }, owner],
        [{ type: 'key.*' }, owner],
        [{}, other],
      ] as const)
        assert.deepEqual(faultsOf(await ask({ ...query, cursor }, who)), [['cursor', 'invalid_cursor']]);
    });

    test('invalid parameters are rejected by name', async () => {
      for (const [query, field] of [
        [{ type: 'a b' }, 'type'],
        [{ type: '*x' }, 'type'],
        [{ type: '' }, 'type'],
        [{ actor: '‮' }, 'actor'],
        [{ actor: 'x'.repeat(81) }, 'actor'],
        [{ about: 'payments' }, 'about'],
        [{ from: 'yesterday' }, 'from'],
        [{ to: '2026-13-01T00:00:00Z' }, 'to'],
        [{ about: 'company', PaymentLinkCode: code }, 'about'],
        [{ limit: '101' }, 'limit'],
        [{ mode: 'live' }, 'mode'],
      ] as [Query, string][]) {
        const answer = await ask(query);
        assert.equal(answer.status, 422, JSON.stringify(query));
        assert.equal(faultsOf(answer)[0]?.[0], field);
      }
    });

    test('a payment of another company is not found, and its events are not listed', async () => {
      const other = await logIn(paylink, await paylink.createMerchant());
      const foreign = await ask({ PaymentLinkCode: code }, other);
      const unknown = await ask({ PaymentLinkCode: `${code.slice(0, -4)}0000` });
      assert.deepEqual([foreign.status, unknown.status], [404, 404]);
      assert.equal(foreign.body.code, unknown.body.code);
      const { body } = await ask({ limit: '100' }, other);
      const theirs = new Set((await find({})).map(({ id }) => id));
      assert.ok((body.data as Entry[]).length > 0);
      assert.ok((body.data as Entry[]).every(({ id }) => !theirs.has(id)));
    });

    test('a removed member is still named in their events', async () => {
      const gone = await addMember(paylink, owner, ['developer']);
      await must(gone.credentials, ['POST', '/v1/api-keys'], {});
      await must(owner, ['DELETE', `/v1/members/${gone.accountId}`]);
      const [entry] = await find({ actor: `account:${gone.accountId}`, type: 'key.created' });
      assert.equal(entry?.actorEmail, gone.email);
    });

    test('a query reads a bounded number of events and continues where it ended', async () => {
      const { db } = paylink.app.deps;
      const { companyId } = await paylink.createMerchant();
      const makeMany = (type: string, count: number, from: number) =>
        Array.from({ length: count }, (_, n) => {
          const at = new Date(from + n);
          return { eventId: newId('evt', at), type, isPublic: false, actor: 'system', data: {}, at };
        });
      await db.inTenant({ companyId, mode: 'test' }, async (tx) => {
        await appendEvents(tx, makeMany('rare.thing', 1, 1_000));
        await appendEvents(tx, makeMany('usual.thing', auditScanRows + 100, 10_000));
      });
      const range = { source: 'all', fromId: '', beforeId: 'evt_0010000000' } as const;
      const page = { filters: { type: { text: 'rare.thing', isPrefix: false } }, limit: 10 };
      const first = await db.inTenant(
        { companyId, mode: 'test' },
        async (tx) => await listAudit(tx, range, page),
      );
      assert.deepEqual(first.events, []);
      const { next } = first;
      assert.ok(next);
      const second = await db.inTenant(
        { companyId, mode: 'test' },
        async (tx) => await listAudit(tx, { ...range, beforeId: next }, page),
      );
      assert.deepEqual([second.events.length, second.next], [1, null]);
    });
  });
