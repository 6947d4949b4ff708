// Repeated requests with an Idempotency-Key, for every status of the first run, and other requests with the key of a
// failed run.

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

/** Two routes behind credentials. Each run responds with the next of `statuses`, and its seed is recorded. */
async function openRoutes({ useIdempotency, requestSeedOf }: Module) {
  const destination = new Writable({ write: (_chunk, _encoding, done) => done() });
  const app = await buildServer({
    ...{ baseUrl: 'https://pay.example', log: createLogger({ level: 'info', destination }), clock },
    ...{ trustedProxies: [], connectionsPerClient: 0, databaseWait: null, isStopping: () => false },
  });
  const roles = ['owner'] as const;
  const principal = { companyId, accountId: 'acc_1', sessionId: 'ses_1', roles, keyId: null, testTime: null };
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

/** Statuses that are refused before the work, see docs/decisions/0015-idempotency-keys.md. */
const refusedEarly = new Set([400, 401, 403, 413, 415, 422, 429]);
const statusCodes = [
  200,
  201,
  202,
  ...Array.from({ length: 32 }, (_, more) => 400 + more),
  500,
  502,
  503,
  504,
];

guarantee<Module>(
  'a response of the handler is replayed; a request refused earlier runs as a new one, and a failed one with its old seed',
  file,
  async (module) => {
    const { send, statuses, seeds, close } = await openRoutes(module);
    try {
      for (const first of statusCodes) {
        seeds.length = 0;
        statuses.push(first);
        const order = { url: '/one', body: '{"amount":5}', key: randomUUID() };
        const [firstAnswer, again] = [await send(order), await send(order)];
        assert.deepEqual(firstAnswer, { status: first, said: { run: 1 } });
        const isKept = first < 500 && !refusedEarly.has(first);
        assert.deepEqual(again, isKept ? firstAnswer : { status: 200, said: { run: 2 } }, `after ${first}`);
        if (!isKept) assert.equal(seeds[0] === seeds[1], first >= 500, `the seed after ${first}`);
      }
    } finally {
      await close();
    }
  },
  {
    [file]: {
      '415, 422, 429]': { '429 is replayed': '415, 422]' },
      '[400, 401,': { '409 is not replayed': '[400, 409, 401,' },
      'return status < 500 &&': { '500 is replayed': 'return status <= 500 &&' },
      'else await endLease(tx, name)': { 'a failed run loses its seed': 'else await deleteKey(tx, name)' },
      'await deleteKey(tx, name);': { 'a refused request keeps its seed': 'await endLease(tx, name);' },
    },
    [store]: {
      'set leased_until = clock_timestamp()\n': {
        'a failed run keeps its lease': 'set leased_until = leased_until\n',
      },
    },
  },
);

/** The same members in reverse order. */
const reversed = (body: Record<string, unknown>) =>
  JSON.stringify(Object.fromEntries(Object.entries(body).toReversed()));

guarantee<Module>(
  'only the same request continues a failed run, with its members in any order',
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
      assert.equal((await send({ ...order, body: reversed(own) })).status, 200);
      assert.deepEqual([seeds.length, seeds[0]], [2, seeds[1]]);
    });
    try {
      await fc.assert(proof, { numRuns: 12, endOnFailure: true });
    } finally {
      await close();
    }
  },
  {
    [store]: {
      'k.fingerprint = any($8)': { 'any request continues it': '$8::bytea[] is not null' },
      'do update set leased_until = excluded.leased_until': {
        'the second run has a new seed':
          'do update set leased_until = excluded.leased_until, seed = excluded.seed',
      },
    },
    [file]: {
      '[request.method, request.url, principal': {
        'another path is the same request': '[request.method, principal',
      },
      ', canonicalJson(request.body ?? null)]': { 'another body is the same request': ']' },
      '.sort(([a], [b]) => (a < b ? -1 : 1))': { 'another order of members is another request': '' },
    },
  },
);
