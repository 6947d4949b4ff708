// Attempts that are due, on a database without a service, and a worker that works on them.

import { systemClock } from '../../src/base/clock.ts';
import { dueAttempts } from '../../src/payments/attempt-store.ts';
import { createRowWork } from '../../src/work/row-work.ts';
import type { RunReport, WorkKind } from '../../src/work/work-kind.ts';
import { openWorker } from '../../src/work/worker.ts';
import { type DatabaseFixture, openDatabaseFixture } from './database-fixture.ts';

export const quiet = { warn: () => undefined, error: () => undefined };

export const insertPayment = (companyId: string, id: string) =>
  `insert into payments (company_id, mode, payment_id, code, customer_order_id, amount_minor, currency, state, email,
                         country, success_url, failure_url, created_by, expires_at, created_at, updated_at)
   values ('${companyId}', 'test', 'pay_${id}', '${companyId}_${id}', 'order ${id}', 100, 'EUR', 'processing',
           'a@example.com', 'DE', 'https://example.com/', 'https://example.com/', 'test', now(), now(), now())`;
export const insertAttempt = (companyId: string, id: string, processor = 'sandbox') =>
  `insert into attempts (company_id, mode, attempt_id, payment_id, state, processor, amount_minor, currency, created_at,
                         updated_at)
   values ('${companyId}', 'test', 'att_${id}', 'pay_${id}', 'unknown', '${processor}', 100, 'EUR', now(), now())`;

/** A database with a company, and attempts that are due now. */
export async function withAttempts(
  engine: 'embedded' | 'server',
  ids: readonly string[],
  work: (bare: DatabaseFixture, companyId: string) => Promise<void>,
  processorOf: (id: string) => string = () => 'sandbox',
): Promise<void> {
  const bare = await openDatabaseFixture(engine);
  try {
    const companyId = await bare.createCompany();
    for (const id of ids) {
      await bare.db.asOwner.query(insertPayment(companyId, id));
      await bare.db.asOwner.query(insertAttempt(companyId, id, processorOf(id)));
    }
    await bare.db.asOwner.query('update attempts set due_at = now()');
    await work(bare, companyId);
  } finally {
    await bare.stop();
  }
}

export type Run = (row: { id: string }) => Promise<void>;

/** A worker of attempts, whose runs do `run`. */
export function openAttemptWorker(
  { db }: DatabaseFixture,
  run: Run,
  options: { onRun?: (report: RunReport) => void; firstPauseMs?: number } = {},
) {
  const limits = { perNew: 2, perLane: 20, total: 40, failingTotal: 20 };
  const kind = createRowWork(
    { db, clock: systemClock, log: quiet, ...options },
    { name: 'reconcile-attempt', rows: dueAttempts, limits, run },
  );
  return openWorker({ db, log: quiet, ...options }, [kind as WorkKind<never>]);
}

/** Settles an attempt, as its processor's answer would. */
export const settle = (bare: DatabaseFixture): Run => {
  return async ({ id }) => {
    await bare.db.asOwner.query(`update attempts set state = 'cancelled' where attempt_id = $1`, [id]);
  };
};
