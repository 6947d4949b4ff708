// Every pair of statuses on a real database: a transition of the graph happens once with one event, and any other is
// refused.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { newId } from '../src/base/ids.ts';
import {
  type AttemptStatus,
  attemptGraph,
  type PaymentStatus,
  paymentGraph,
  type TransitionEdge,
} from '../src/payments/states.ts';
import { applyTransitions, startAttempts, transitionPayment } from '../src/payments/transition.ts';
import { createLink } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import { payWith } from './harness/visitor.ts';

let paylink: Paylink;
let paymentId: string;
let attemptId: string;
before(async () => {
  // No job may change the overdue payment.
  paylink = await startPaylink('server', { isAtWork: false });
  const { link, code } = await createLink(paylink);
  await payWith(link, { number: '4242424242424242' });
  const [row] = await sql<{ payment: string; attempt: string }>(
    'select payment_id as payment, attempt_id as attempt from payments join attempts using (company_id, payment_id) where code = $1',
    [code],
  );
  assert.ok(row);
  ({ payment: paymentId, attempt: attemptId } = row);
  // Overdue by the clock of this test, so that it may expire.
  await sql('update payments set expires_at = $1 where payment_id = $2', [at, paymentId]);
});
after(async () => await paylink.stop());

async function sql<T extends Record<string, unknown>>(text: string, values: unknown[]): Promise<T[]> {
  return await paylink.app.deps.db.asOwner.query<T>(text, values);
}

const at = new Date();
const actor = 'test';
const inTenant: typeof paylink.app.deps.db.inTenant = async (companyId, work) =>
  await paylink.app.deps.db.inTenant(companyId, work);

async function movePayment(from: PaymentStatus, to: PaymentStatus): Promise<boolean> {
  return await inTenant(
    { companyId: paylink.merchant.companyId, mode: 'test' },
    async (tx) => await transitionPayment(tx, { paymentId, from, to, at, actor }),
  );
}

async function moveAttempt(from: AttemptStatus, to: AttemptStatus): Promise<boolean> {
  return await inTenant({ companyId: paylink.merchant.companyId, mode: 'test' }, async (tx) => {
    const attempt = { paymentId, attemptId, from, to, at, actor };
    return (await applyTransitions(tx, [{ attempt, payment: null, entry: null }])).has(attemptId);
  });
}

async function countEvents(type: string): Promise<number> {
  const [row] = await sql<{ count: number }>('select count(*) as count from events where type = $1', [type]);
  return row?.count ?? 0;
}

async function checkPair<S extends string>(pair: {
  edge: TransitionEdge | undefined;
  table: 'payments' | 'attempts';
  from: S;
  to: S;
  move: (from: S, to: S) => Promise<boolean>;
}): Promise<void> {
  const { edge, table, from, to, move } = pair;
  const id = table === 'payments' ? paymentId : attemptId;
  const key = table === 'payments' ? 'payment_id' : 'attempt_id';
  // safe: both names are literals of this file.
  await sql(`update ${table} set state = $1 where ${key} = $2`, [from, id]);
  if (!edge) {
    await assert.rejects(move(from, to), /there is no transition/);
    return;
  }
  const eventsBefore = await countEvents(edge.event);
  assert.equal(await move(from, to), true);
  assert.equal(await move(from, to), false, 'a repeat moves nothing');
  assert.equal(await countEvents(edge.event), eventsBefore + 1, 'one move, one event');
  // safe: as above.
  const [row] = await sql<{ state: string }>(`select state from ${table} where ${key} = $1`, [id]);
  assert.equal(row?.state, to);
}

for (const from of Object.keys(paymentGraph) as PaymentStatus[])
  for (const to of Object.keys(paymentGraph) as PaymentStatus[]) {
    const edge = paymentGraph[from][to];
    test(`a payment ${edge ? 'can' : 'cannot'} change from ${from} to ${to}`, async () => {
      await checkPair({ edge, table: 'payments', from, to, move: movePayment });
    });
  }

test('a payment does not expire before its expiry', async () => {
  await sql(`update payments set state = 'open' where payment_id = $1`, [paymentId]);
  const early = { paymentId, from: 'open', to: 'expired', at: new Date(at.getTime() - 1), actor } as const;
  assert.equal(
    await inTenant(
      { companyId: paylink.merchant.companyId, mode: 'test' },
      async (tx) => await transitionPayment(tx, early),
    ),
    false,
  );
});

for (const from of Object.keys(attemptGraph) as AttemptStatus[])
  for (const to of Object.keys(attemptGraph) as AttemptStatus[]) {
    const edge = attemptGraph[from][to];
    test(`an attempt ${edge ? 'can' : 'cannot'} change from ${from} to ${to}`, async () => {
      await checkPair({ edge, table: 'attempts', from, to, move: moveAttempt });
    });
  }

test('a link that opens between the beginning of a statement and its lock is started completely, or not', async () => {
  const { db } = paylink.app.deps;
  const { companyId } = paylink.merchant;
  const { code } = await createLink(paylink);
  const [row] = await sql<{ id: string }>(
    `update payments set state = 'processing' where code = $1 returning payment_id as id`,
    [code],
  );
  const attempt = {
    ...{ attemptId: newId('att', at), code, processor: 'sandbox', connectionId: null, at: new Date() },
    ...{
      cardBrand: null,
      cardLast4: null,
      locale: 'en',
      pageLocale: 'en',
      actionEndsAt: new Date(),
      mayOutliveLink: true,
    },
  };
  // The statement waits between its snapshot and its lock, until the link is open.
  const gate = new pg.Client({ connectionString: paylink.app.deps.config.databaseUrl ?? '' });
  await gate.connect();
  await gate.query('select pg_advisory_lock(7, 7)');
  const slowly = { due: { at: null, inMs: 15_000 }, mostAttempts: 50 };
  const starting = db.inTenant({ companyId, mode: 'test' }, async (tx) => {
    const query: typeof tx.query = async (text, values) =>
      await tx.query(
        text.replace(
          'from given join payments',
          'from (select pg_advisory_xact_lock_shared(7, 7)) as pause cross join given join payments',
        ),
        values,
      );
    return await startAttempts({ ...tx, query }, [attempt], slowly);
  });
  const isWaiting = async () =>
    (
      await gate.query(
        `select from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
      )
    ).rowCount === 1;
  await until(isWaiting, 'the statement to wait');
  await sql(`update payments set state = 'open' where code = $1`, [code]);
  await gate.end();
  const started = await starting;
  const [found] = await sql(
    `select p.state, p.version, (select count(*) from attempts a where a.payment_id = p.payment_id) as attempts
     from payments p where payment_id = $1`,
    [row?.id],
  );
  assert.equal(started.size, 1);
  assert.deepEqual(found, { state: 'processing', version: 2, attempts: 1 });
});

test('a customer may act until the processor’s limit, or until the link expires unless the attempt may outlive it', async () => {
  const now = new Date();
  const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
  for (const [limit, linkEnd, mayOutliveLink, expected] of [
    [15, 60, false, 15],
    [15, 5, false, 5],
    [15, 5, true, 15],
    [15, 60, true, 15],
  ] as const) {
    const { code } = await createLink(paylink);
    await sql('update payments set expires_at = $2 where code = $1', [code, minutes(linkEnd)]);
    const attempt = {
      ...{ attemptId: newId('att', now), code, processor: 'sandbox', connectionId: null, at: now },
      ...{ cardBrand: null, cardLast4: null, locale: 'en', pageLocale: 'en' },
      ...{ actionEndsAt: minutes(limit), mayOutliveLink },
    };
    const started = await inTenant(
      { companyId: paylink.merchant.companyId, mode: 'test' },
      async (tx) => await startAttempts(tx, [attempt], { due: { at: null, inMs: 15_000 }, mostAttempts: 50 }),
    );
    assert.deepEqual(started.get(code)?.attempt.expiresAt, minutes(expected));
  }
});
