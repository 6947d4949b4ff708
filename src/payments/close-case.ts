// Closes a case about money that Paylink cannot account for. Must not close other cases: only evidence ends an attempt or
// a refund.

import type { Clock } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import type { Database, TenantScope } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { type ClosedCase, closeProcessorCases, findClosedCase } from './case-store.ts';
import { findPaymentByCode } from './store.ts';

/**
 * Closes the case of a payment about a charge or refund of the processor, and records who closed it. A closed case stays
 * as it was closed first. Throws `payment_not_found` or `case_not_found`.
 */
export async function closeCase(
  { db, clock }: { db: Database; clock: Clock },
  order: TenantScope & { code: string; actor: string; processorReference: string; note: string | null },
): Promise<ClosedCase> {
  const { code, actor, processorReference, note } = order;
  const at = clock.now();
  return await db.inTenant(order, async (tx) => {
    const payment = await findPaymentByCode(tx, code);
    if (!payment) throw errors.paymentNotFound();
    const { paymentId } = payment;
    for (const attemptId of await closeProcessorCases(tx, {
      paymentId,
      processorReference,
      at,
      actor,
      note,
    })) {
      const data = { processorReference, ...(note ? { note } : {}) };
      await appendEvent(tx, { type: 'case.closed', isPublic: false, paymentId, attemptId, actor, data, at });
    }
    const closed = await findClosedCase(tx, { paymentId, processorReference });
    if (!closed) throw errors.caseNotFound();
    return closed;
  });
}
