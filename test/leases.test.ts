// A worker whose lease has expired changes nothing after another one has claimed the work: webhook deliveries, emails,
// idempotency keys and jobs. Each statement also runs without its condition on the lease, and then changes something.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantTx } from '../src/db/database.ts';
import type { Sql } from '../src/db/engine.ts';
import {
  claimKey,
  deleteKey,
  endLease,
  type ClaimedKey as KeyClaim,
  storeResponse,
} from '../src/http/idempotency-store.ts';
import { openJobQueue } from '../src/jobs/queue.ts';
import {
  type ClaimedEmail,
  claimEmails,
  finishEmails,
  postponeEmail,
  releaseEmails,
} from '../src/mails/store.ts';
import {
  claimDeliveries,
  type DeliveryClaim,
  finishDeliveryAttempt,
} from '../src/webhooks/delivery-store.ts';
import type { Json } from './harness/client.ts';
import { type DatabaseFixture, openDatabaseFixture } from './harness/database-fixture.ts';

const lease = { now: new Date('2100-01-01'), leaseSeconds: 60 };
const at = new Date();

/** Removes a condition from a statement. */
type Loosen = readonly [condition: string, instead: string];

/** A kind of leased work: its rows, how to claim one, and every write of the lease holder. */
type Leased<C> = {
  table: string;
  isOf: (claim: C) => [column: string, id: string];
  claim: (tx: TenantTx) => Promise<C | undefined>;
  writes: Record<string, { write: (tx: TenantTx, claim: C) => Promise<unknown>; loosen: Loosen[] }>;
};

const deliveries: Leased<DeliveryClaim> = {
  table: 'webhook_deliveries',
  isOf: ({ deliveryId }) => ['delivery_id', deliveryId],
  claim: async (tx) => (await claimDeliveries(tx, { ...lease, endpointId: 'whe_1', limit: 1 }))[0],
  writes: Object.fromEntries(
    (
      [
        ['delivered', { state: 'delivered', dueAt: null, endedAt: at }],
        ['failed', { state: 'failed', dueAt: null, endedAt: at }],
        ['due again', { state: 'pending', dueAt: at, endedAt: null }],
      ] as const
    ).map(([name, settled]) => [
      `a delivery that ends as ${name}`,
      {
        write: async (tx, claim) => await finishDeliveryAttempt(tx, claim, settled),
        loosen: [['lease_token = $3', '$3::bigint is not null']] as Loosen[],
      },
    ]),
  ),
};

const loosenMail: Loosen[] = [
  ['and mails.tries = given.tries', ''],
  ['and tries = $3', 'and $3::integer is not null'],
  ['and mails.leased_until is not null', ''],
  ['and leased_until is not null', ''],
];
const mails: Leased<ClaimedEmail> = {
  table: 'mails',
  isOf: ({ mailId }) => ['mail_id', mailId],
  claim: async (tx) => (await claimEmails(tx, ['mail_1'], lease))[0],
  writes: {
    'an email that was sent': {
      write: async (tx, { mailId, tries }) =>
        await finishEmails(tx, [{ mailId, tries, state: 'sent', error: null, at }]),
      loosen: loosenMail,
    },
    'an email that is postponed': {
      write: async (tx, mail) => await postponeEmail(tx, mail, { dueAt: at, error: 'later' }),
      loosen: loosenMail,
    },
    'an email that is released': {
      write: async (tx, mail) => await releaseEmails(tx, [mail]),
      loosen: loosenMail,
    },
  },
};

const name = { accountId: 'acc_1', key: 'key_1' };
const fingerprint = Buffer.alloc(32, 1);
const loosenKey: Loosen[] = [
  ['and leased_until = $6::timestamptz', 'and $6::text is not null'],
  ['and leased_until = $4::timestamptz', 'and $4::text is not null'],
];
const keys: Leased<KeyClaim> = {
  table: 'idempotency_keys',
  isOf: () => ['key', name.key],
  claim: async (tx) =>
    (await claimKey(tx, name, {
      fingerprints: { own: fingerprint, good: [fingerprint] },
      ...{ seed: Buffer.alloc(32, 2), subjectAt: at, leaseSeconds: 60 },
    })) ?? undefined,
  writes: {
    'a response that is stored': {
      write: async (tx, claim) =>
        await storeResponse(
          tx,
          { ...name, lease: claim.lease },
          { status: 200, answer: Buffer.from('late') },
        ),
      loosen: loosenKey,
    },
    'a key that is released': {
      write: async (tx, claim) => await deleteKey(tx, { ...name, lease: claim.lease }),
      loosen: loosenKey,
    },
    'a run that was interrupted': {
      write: async (tx, claim) => await endLease(tx, { ...name, lease: claim.lease }),
      loosen: loosenKey,
    },
  },
};

describe('a worker without its lease', () => {
  let bare: DatabaseFixture;
  let companyId: string;
  before(async () => {
    bare = await openDatabaseFixture('server');
  });
  after(async () => await bare.stop());

  const query = async (text: string, ...values: unknown[]) => await bare.db.asOwner.query<Json>(text, values);
  const inTenant = async <T>(work: (tx: TenantTx) => Promise<T>) => await bare.inTenant(companyId, work);

  /** A company with a due delivery, a due email, and an account that may use keys. */
  async function makeWork(): Promise<void> {
    companyId = await bare.createCompany();
    await query(
      `insert into accounts (company_id, account_id, email, password_hash, roles, created_at)
       values ($1, 'acc_1', $1 || '@example.com', 'x', '{owner}', now())`,
      companyId,
    );
    await query(
      `insert into webhook_endpoints (company_id, mode, endpoint_id, url, events, secret, secret_id, created_by, created_at, updated_at)
       values ($1, 'test', 'whe_1', 'https://example.com/', '{payment.paid}', 'x', 'sec_1', 'test', now(), now())`,
      companyId,
    );
    await bare.append(companyId, 'payment.paid');
    await query(
      `insert into mails (company_id, mode, mail_id, event_id, kind, recipient, due_at, created_at)
       select company_id, null, 'mail_1', event_id, 'endpoint', 'a@example.com', now(), now() from events where company_id = $1`,
      companyId,
    );
  }

  async function rowsOf(table: string): Promise<string> {
    // safe: the names are literals of this file.
    const rows = await query(
      `select to_jsonb(t)::text as row from ${table} t where company_id = $1 order by 1`,
      companyId,
    );
    return rows.map(({ row }) => row).join('\n');
  }

  const expire = async (table: string) =>
    // safe: as above.
    await query(
      `update ${table} set leased_until = clock_timestamp() - interval '1 second' where company_id = $1 and leased_until is not null`,
      companyId,
    );

  /** Runs a write after the lease has expired. Returns the rows before and after it. */
  async function writeLate<C>(
    { table, claim }: Leased<C>,
    write: (tx: TenantTx, claim: C) => Promise<unknown>,
    loosen: Loosen[] = [],
  ): Promise<{ before: string; after: string; first: C; second: C }> {
    await makeWork();
    const first = await inTenant(claim);
    assert.ok(first, 'the first claims it');
    assert.equal(await inTenant(claim), undefined, 'nobody else can claim it');
    await expire(table);
    const second = await inTenant(claim);
    assert.ok(second, 'another claims it after the lease');
    const before = await rowsOf(table);
    await inTenant(async (tx) => {
      const loose: TenantTx['query'] = async (text, values) => {
        const changed = loosen.reduce((sql, [condition, instead]) => sql.replace(condition, instead), text);
        if (loosen.length > 0) assert.notEqual(changed, text, 'the statement has the condition');
        return await tx.query(changed, values);
      };
      await write({ ...tx, query: loose }, first);
    });
    return { before, after: await rowsOf(table), first, second };
  }

  const kinds = [deliveries, mails, keys] as unknown as Leased<unknown>[];
  for (const kind of kinds)
    for (const [what, { write, loosen }] of Object.entries(kind.writes)) {
      test(`${what}: the former holder changes nothing, and the new holder continues`, async () => {
        const { before, after: now, second } = await writeLate(kind, write);
        assert.equal(now, before);
        await inTenant(async (tx) => await write(tx, second));
        assert.notEqual(await rowsOf(kind.table), before);
      });

      test(`${what}: without the condition on the lease, the former holder is detected`, async () => {
        const { before, after: now } = await writeLate(kind, write, loosen);
        assert.notEqual(now, before);
      });
    }

  test('an email that the next holder released is not written by the former holder', async () => {
    for (const { write } of Object.values(mails.writes)) {
      await makeWork();
      const first = await inTenant(mails.claim);
      assert.ok(first);
      await expire('mails');
      const second = await inTenant(mails.claim);
      assert.ok(second);
      await inTenant(async (tx) => await releaseEmails(tx, [second]));
      const before = await rowsOf('mails');
      await inTenant(async (tx) => await write(tx, first));
      assert.equal(await rowsOf('mails'), before);
    }
  });
});

/** The conditions by which pg-boss lets only the holder of a job end it, and their replacements. */
const fences: Loosen[] = [
  ['AND j.retry_count = i.retry_count', ''],
  ['(id, retry_count) IN (SELECT id, retry_count FROM output_map)', 'id IN (SELECT id FROM output_map)'],
];

/** A queue whose worker waits in the middle of a job until `end`. */
async function openWorker(bare: DatabaseFixture, loosen: boolean) {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const settled = Promise.withResolvers<void>();
  const asOwner: Sql = {
    ...bare.db.asOwner,
    query: async (text, values) => {
      const loose = fences.reduce((sql, [condition, instead]) => sql.replace(condition, instead), text);
      const rows = await bare.db.asOwner.query(loosen ? loose : text, values);
      if (loose !== text) settled.resolve();
      return rows as never;
    },
  };
  const queue = await openJobQueue(
    { ...bare.db, asOwner },
    { onError: () => undefined, pollSeconds: 0.5, superviseSeconds: 1, retryDelaySeconds: 1 },
  );
  return {
    queue,
    begun: begun.promise,
    settled: settled.promise,
    end,
    work: async () =>
      await queue.work('reconcile-refund', async () => {
        begun.resolve();
        await end.promise;
      }),
  };
}

const endings = {
  succeeds: (end: PromiseWithResolvers<void>) => end.resolve(),
  fails: (end: PromiseWithResolvers<void>) => end.reject(new Error('too late')),
};

for (const [how, finish] of Object.entries(endings))
  for (const isLoose of [false, true])
    test(`a job that ${how} after its lease, while another worker runs it, ${isLoose ? 'is detected without the condition' : 'changes nothing'}`, async () => {
      const bare = await openDatabaseFixture('server');
      const [first, second] = [await openWorker(bare, isLoose), await openWorker(bare, false)];
      try {
        const companyId = await bare.createCompany();
        await bare.inTenant(companyId, async (tx) => {
          const job = { companyId, refundId: 'ref_1' };
          await first.queue.enqueue(tx, 'reconcile-refund', job, { afterSeconds: 0 });
        });
        const query = async (text: string) => await bare.db.asOwner.query<Json>(text);
        await first.work();
        await first.begun;
        await query(
          `update pgboss.job set started_on = now() - interval '1 hour' where name = 'reconcile-refund'`,
        );
        const stateOf = async () =>
          (
            await query(
              `select state, retry_count, completed_on, output from pgboss.job where name = 'reconcile-refund'`,
            )
          )[0];
        const until = performance.now() + 60_000;
        while ((await stateOf())?.state !== 'retry') {
          assert.ok(performance.now() < until, 'the lease runs out');
          await sleep(200);
        }
        await query(`update pgboss.job set start_after = now() where name = 'reconcile-refund'`);
        await second.work();
        await second.begun;
        const before = await stateOf();
        assert.equal(before?.state, 'active');
        finish(first.end);
        await first.settled;
        const now = await stateOf();
        if (isLoose) assert.notDeepEqual(now, before);
        else assert.deepEqual(now, before);
      } finally {
        first.end.promise.catch(() => undefined);
        first.end.resolve();
        second.end.resolve();
        await Promise.all([first.queue.stop(), second.queue.stop()]);
        await bare.stop();
      }
    });
