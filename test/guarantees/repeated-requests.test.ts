// A request that comes again under its Idempotency-Key, for every status that the first run may end with, and other requests
// under the key of a run that broke off. On real PostgreSQL, with routes of the test.

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { after, before } from 'node:test';
import fc from 'fast-check';
import { systemClock as clock } from '../../src/base/clock.ts';
import { openKeyring } from '../../src/base/keyring.ts';
import { buildServer } from '../../src/http/server.ts';
import { createLogger } from '../../src/telemetry.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../harness/database-fixture.ts';
import { guarantee } from './plant.ts';

let bare: DatabaseFixture;
let companyId: string;
before(async () => {
  bare = await openDatabaseFixture('server');
  companyId = await bare.createCompany();
  await bare.db.asOwner.query(
    `insert into accounts (company_id, account_id, email, password_hash, roles, created_at)
     values ($1, 'acc_1', 'ada@example.com', 'x', '{owner}', now())`,
    [companyId],
  );
});
after(async () => await bare.stop());

const file = 'src/http/idempotency.ts';
const store = 'src/http/idempotency-store.ts';
type Module = typeof import('../../src/http/idempotency.ts');
type Order = { url: string; body: string; key: string };

/** Two routes behind credentials; each run ends with the next status that is set, and its seed is noted. */
async function openRoutes({ useIdempotency, requestSeedOf }: Module) {
  const destination = new Writable({ write: (_chunk, _encoding, done) => done() });
  const app = await buildServer({
    ...{ baseUrl: 'https://pay.example', log: createLogger({ level: 'info', destination }), clock },
    ...{ trustedProxies: [], connectionsPerClient: 0, databaseWait: null, isStopping: () => false },
  });
  const roles = ['owner'] as const;
  const principal = { companyId, accountId: 'acc_1', sessionId: 'ses_1', roles, keyId: null };
  app.addHook('onRequest', async (request) => {
    request.principal = { ...principal, mode: 'test' };
  });
  useIdempotency(app, { db: bare.db, clock, keyring: await openKeyring(randomBytes(32)) });
  const statuses: number[] = [];
  const seeds: string[] = [];
  for (const url of ['/one', '/other'])
    app.post(url, async (request, reply) => {
      seeds.push(requestSeedOf(request, clock).seed.toString('hex'));
      return await reply.code(statuses.shift() ?? 200).send({ run: seeds.length });
    });
  const send = async ({ url, body, key }: Order) => {
    const headers = { host: 'pay.example', 'content-type': 'application/json', 'idempotency-key': key };
    const { statusCode: status, json } = await app.inject({ method: 'POST', url, body, headers });
    return { status, said: json() as Record<string, unknown> };
  };
  return { send, statuses, seeds, close: async () => await app.close() };
}

/** What docs/decisions/0015-idempotency-keys.md calls refused before the work. */
const beforeTheWork = new Set([400, 401, 403, 413, 415, 422, 429]);
const every = [200, 201, 202, ...Array.from({ length: 32 }, (_, more) => 400 + more), 500, 502, 503, 504];

guarantee<Module>(
  'an answer of the work is given again; what was refused before the work runs as if it were new, and a fault on its seed',
  file,
  async (module) => {
    const { send, statuses, seeds, close } = await openRoutes(module);
    try {
      for (const first of every) {
        seeds.length = 0;
        statuses.push(first);
        const order = { url: '/one', body: '{"amount":5}', key: randomUUID() };
        const [reported, again] = [await send(order), await send(order)];
        assert.deepEqual(reported, { status: first, said: { run: 1 } });
        const isKept = first < 500 && !beforeTheWork.has(first);
        assert.deepEqual(again, isKept ? reported : { status: 200, said: { run: 2 } }, `after ${first}`);
        if (!isKept) assert.equal(seeds[0] === seeds[1], first >= 500, `the seed after ${first}`);
      }
    } finally {
      await close();
    }
  },
  [
    { fault: 'that too many came is an answer', file, from: '415, 422, 429]', to: '415, 422]' },
    { fault: 'a conflict is no answer', file, from: '[400, 401,', to: '[400, 409, 401,' },
    { fault: 'a fault is an answer', file, from: 'return status < 500 &&', to: 'return status <= 500 &&' },
    {
      fault: 'a fault gives the seed away',
      ...{ file, from: 'else await endLease(tx, name)', to: 'else await forgetKey(tx, name)' },
    },
    {
      fault: 'a refusal keeps the seed',
      ...{ file, from: 'await deleteKey(tx, name);', to: 'await endLease(tx, name);' },
    },
    {
      fault: 'a run that broke off keeps its lease',
      ...{
        file: store,
        from: 'set leased_until = clock_timestamp()\n',
        to: 'set leased_until = leased_until\n',
      },
    },
  ],
);

/** The same members in the opposite order. */
const turned = (body: Record<string, unknown>) =>
  JSON.stringify(Object.fromEntries(Object.entries(body).toReversed()));

guarantee<Module>(
  'what broke off is gone on with by the same request alone, in whatever order its names are',
  file,
  async (module) => {
    const { send, statuses, seeds, close } = await openRoutes(module);
    const bodies = fc.record({ amount: fc.integer({ min: 1, max: 9 }), reason: fc.string({ maxLength: 3 }) });
    const proof = fc.asyncProperty(bodies, bodies, async (own, stranger) => {
      fc.pre(JSON.stringify(own) !== JSON.stringify(stranger));
      seeds.length = 0;
      statuses.push(500);
      const order = { url: '/one', body: JSON.stringify(own), key: randomUUID() };
      assert.equal((await send(order)).status, 500);
      for (const other of [{ url: '/other' }, { body: JSON.stringify(stranger) }, { body: '{}' }]) {
        const { status, said } = await send({ ...order, ...other });
        assert.deepEqual([status, said.code, seeds.length], [422, 'idempotency_key_reused', 1]);
      }
      assert.equal((await send({ ...order, body: turned(own) })).status, 200);
      assert.deepEqual([seeds.length, seeds[0]], [2, seeds[1]]);
    });
    try {
      await fc.assert(proof, { numRuns: 12, endOnFailure: true });
    } finally {
      await close();
    }
  },
  [
    {
      fault: 'any request goes on with it',
      ...{ file: store, from: 'k.fingerprint = any($8)', to: '$8::bytea[] is not null' },
    },
    {
      fault: 'another address is the same request',
      ...{ file, from: '[request.method, request.url, principal', to: '[request.method, principal' },
    },
    {
      fault: 'another body is the same request',
      ...{ file, from: ', canonicalJson(request.body ?? null)]', to: ']' },
    },
    {
      fault: 'the order of names makes another request',
      ...{ file, from: '.sort(([a], [b]) => (a < b ? -1 : 1))', to: '' },
    },
    {
      fault: 'the second run has a seed of its own',
      ...{
        file: store,
        from: 'do update set leased_until = excluded.leased_until',
        to: 'do update set leased_until = excluded.leased_until, seed = excluded.seed',
      },
    },
  ],
);
