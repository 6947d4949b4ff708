// A worker whose lease has expired changes nothing after another one has claimed the work: webhook deliveries, emails,
// idempotency keys, attempts, refunds and recurring jobs. Each statement also runs without its condition on the lease, and then changes something.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TenantTx } from '../src/db/database.ts';
import {
  claimKey,
  deleteKey,
  endLease,
  type ClaimedKey as KeyClaim,
  storeResponse,
} from '../src/http/idempotency-store.ts';
import {
  type ClaimedEmail,
  dueEmails,
  finishEmails,
  postponeEmail,
  releaseEmail,
} from '../src/mails/store.ts';
import { dueAttempts } from '../src/payments/attempt-store.ts';
import { dueRefunds } from '../src/payments/refund-store.ts';
import { type DeliveryClaim, dueDeliveries, finishDeliveryAttempt } from '../src/webhooks/delivery-store.ts';
import type { ClaimedRow, RetriedRows } from '../src/work/retried-rows.ts';
import {
  claimJob,
  finishJob,
  listDueJobs,
  renewJobLease,
  type ScheduledClaim,
} from '../src/work/scheduled-job-store.ts';
import type { Json } from './harness/client.ts';
import { type DatabaseFixture, openDatabaseFixture } from './harness/database-fixture.ts';

const lease = { limit: 1, leaseSeconds: 60, at: new Date('2100-01-01') };
const at = new Date();
const later = { afterMs: 60_000, at: null, error: 'later' };

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
  claim: async (tx) => (await dueDeliveries.claim(tx, { ...lease, lane: 'whe_1' }))[0],
  writes: Object.fromEntries(
    (
      [
        ['delivered', { state: 'delivered', dueInMs: null, endedAt: at }],
        ['failed', { state: 'failed', dueInMs: null, endedAt: at }],
        ['due again', { state: 'pending', dueInMs: 0, endedAt: null }],
      ] as const
    ).map(([name, settled]) => [
      `a delivery that ends as ${name}`,
      {
        write: async (tx, claim) => await finishDeliveryAttempt(tx, claim, null, settled),
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
  claim: async (tx) => (await dueEmails.claim(tx, { ...lease, lane: 'none' }))[0],
  writes: {
    'an email that was sent': {
      write: async (tx, { mailId, tries }) =>
        await finishEmails(tx, [{ mailId, tries, state: 'sent', error: null, at }]),
      loosen: loosenMail,
    },
    'an email that is postponed': {
      write: async (tx, { mailId, tries }) => await postponeEmail(tx, { id: mailId, token: tries }, later),
      loosen: loosenMail,
    },
    'an email that is released': {
      write: async (tx, mail) => await releaseEmail(tx, mail),
      loosen: loosenMail,
    },
  },
};

/** Attempts and refunds: the worker only postpones them. */
function rows(table: 'attempts' | 'refunds', due: RetriedRows): Leased<ClaimedRow> {
  const id = table === 'attempts' ? 'attempt_id' : 'refund_id';
  return {
    table,
    isOf: (claim) => [id, claim.id],
    claim: async (tx) => (await due.claim(tx, { ...lease, lane: 'test sandbox' }))[0],
    writes: {
      [`a row of ${table} that is postponed`]: {
        write: async (tx, claim) => await due.postpone(tx, { id: claim.id, token: claim.claims }, later),
        loosen: [['lease_token = $3', '$3::bigint is not null']],
      },
    },
  };
}

const name = { owner: 'acc_1', key: 'key_1' };
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
      ...{ seed: Buffer.alloc(32, 2), subjectAt: at, leaseSeconds: 60, followsTestClock: false },
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

  /** A company with a due delivery, email, attempt and refund, and an account that may use keys. */
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
    await query(
      `insert into payments (company_id, mode, payment_id, code, customer_order_id, amount_minor, currency, state, email,
                             country, success_url, failure_url, created_by, expires_at, created_at, updated_at)
       values ($1, 'test', 'pay_1', $1 || '_code', 'order', 100, 'EUR', 'processing', 'a@example.com', 'DE',
               'https://example.com/', 'https://example.com/', 'test', now(), now(), now())`,
      companyId,
    );
    await query(
      `insert into attempts (company_id, mode, attempt_id, payment_id, state, processor, amount_minor, currency, created_at, updated_at)
       values ($1, 'test', 'att_1', 'pay_1', 'unknown', 'sandbox', 100, 'EUR', now(), now())`,
      companyId,
    );
    await query(
      `insert into refunds (company_id, mode, refund_id, payment_id, attempt_id, kind, state, amount_minor, currency, created_by, created_at, updated_at)
       values ($1, 'test', 'ref_1', 'pay_1', 'att_1', 'surplus', 'unknown', 100, 'EUR', 'test', now(), now())`,
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

  const kinds = [
    deliveries,
    mails,
    keys,
    rows('attempts', dueAttempts),
    rows('refunds', dueRefunds),
  ] as unknown as Leased<unknown>[];
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
      await inTenant(async (tx) => await releaseEmail(tx, second));
      const before = await rowsOf('mails');
      await inTenant(async (tx) => await write(tx, first));
      assert.equal(await rowsOf('mails'), before);
    }
  });
});

test('a recurring job that another process took over is neither ended nor renewed by the former holder', async () => {
  const bare = await openDatabaseFixture('server');
  try {
    const times = { name: 'tidy', periodSeconds: 60, offsetSeconds: 0 };
    const inSystem = bare.db.inSystem;
    const query = async (text: string) => await bare.db.asOwner.query<Json>(text);
    await inSystem(async (tx) => await listDueJobs(tx, [times]));
    await query('update scheduled_jobs set due_at = now()');
    const claim = async () => (await inSystem(async (tx) => await claimJob(tx, 'tidy', 60)))[0];
    const first = await claim();
    assert.ok(first);
    assert.equal(await claim(), undefined, 'nobody else can claim it');
    await query(`update scheduled_jobs set leased_until = now() - interval '1 second'`);
    const second = await claim();
    assert.ok(second);
    const rowOf = async () => JSON.stringify(await query('select * from scheduled_jobs'));
    const ended = { times, failures: 0, error: null, retryAfterMs: null };
    const writes: ((held: ScheduledClaim) => Promise<void>)[] = [
      async (held) => await inSystem(async (tx) => await renewJobLease(tx, held, 600)),
      async (held) => await inSystem(async (tx) => await finishJob(tx, held, ended)),
    ];
    for (const write of writes) {
      const before = await rowOf();
      await write(first);
      assert.equal(await rowOf(), before);
      await write(second);
      assert.notEqual(await rowOf(), before);
    }
  } finally {
    await bare.stop();
  }
});
