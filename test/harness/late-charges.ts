// The nightly comparison with the sandbox, at the end of a test under load. The card `…9078` declines and then charges. If
// the database does not record the charge in time, the sandbox does not report it again, and only the comparison finds it.

import { systemClock } from '../../src/base/clock.ts';
import { openKeyring } from '../../src/base/keyring.ts';
import type { Database } from '../../src/db/database.ts';
import { createProcessors } from '../../src/processors/registry.ts';
import type { CompareDeps } from '../../src/reconciliation/compare-processor.ts';
import { type RefundDeps, reconcileRefund } from '../../src/refunds/refund-payment.ts';
import { createLogger } from '../../src/telemetry.ts';
import { compareAllProcessors } from '../../src/verify-companies.ts';

export type LateChargeDeps = CompareDeps & RefundDeps;

/** What the comparison needs on a database whose service runs in other processes. */
export async function openLateChargeDeps(db: Database): Promise<LateChargeDeps> {
  const baseUrl = 'http://127.0.0.1:1';
  const keyring = await openKeyring(Buffer.alloc(32));
  const reportOutcome = () => Promise.reject(new Error('nobody pays here'));
  return {
    ...{ db, baseUrl, keyring, clock: systemClock, processorTimeoutMs: 10_000 },
    log: createLogger({ level: 'silent' }),
    processors: createProcessors({
      ...{ db, baseUrl, keyring, reportOutcome, clock: systemClock },
      apiUrls: {},
    }),
  };
}

async function isChargedAfterDecline(db: Database, attemptId: string): Promise<boolean> {
  const rows = await db.asOwner.query(
    `select attempt_id from attempts where attempt_id = $1 and state = 'declined' and card_last4 = '9078'`,
    [attemptId],
  );
  return rows.length === 1;
}

/**
 * Compares every company with its processors, as the nightly job does, and makes the refunds that follow. Returns the
 * findings that the card `…9078` does not explain: any other late charge is a fault.
 */
export async function refundLateCharges(deps: LateChargeDeps): Promise<string[]> {
  const { findings } = await compareAllProcessors(deps);
  const faults: string[] = [];
  for (const { sentence, fault } of findings) {
    const isLate = fault?.fault === 'a charge for an attempt with status declined; recorded now';
    if (!isLate || !(await isChargedAfterDecline(deps.db, fault.key))) faults.push(sentence);
  }
  const refunds = await deps.db.asOwner.query<{ companyId: string; refundId: string }>(
    `select company_id as "companyId", refund_id as "refundId" from refunds
     where kind = 'surplus' and state not in ('succeeded', 'failed')`,
  );
  for (const refund of refunds) await reconcileRefund(deps, refund);
  return faults;
}
