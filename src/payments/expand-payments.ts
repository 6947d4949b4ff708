// Payments in their API form, with the objects that the caller wants in them.

import type { Database, TenantScope } from '../db/database.ts';
import { presentAttempt } from './attempt-schema.ts';
import { presentPayment } from './present-payment.ts';
import { presentRefund } from './present-refund.ts';
import type { PaymentWithAttempts } from './presented-store.ts';
import { listRefundsOfPayments, type Refund } from './refund-store.ts';
import { maxExpandedRefunds, type PaymentResponse } from './schema.ts';

export const paymentExpansions = ['refunds', 'attempts'] as const;
export type PaymentExpansion = (typeof paymentExpansions)[number];

/** Reads the refunds of all payments in one statement. The payments have their attempts already. */
export async function presentExpanded(
  { db, baseUrl }: { db: Database; baseUrl: string },
  scope: TenantScope,
  { payments, expand }: { payments: readonly PaymentWithAttempts[]; expand: ReadonlySet<PaymentExpansion> },
): Promise<PaymentResponse[]> {
  const ids = payments.map(({ paymentId }) => paymentId);
  const refunds =
    expand.has('refunds') && ids.length > 0
      ? await db.inTenant(
          scope,
          async (tx) => await listRefundsOfPayments(tx, ids, { each: maxExpandedRefunds }),
        )
      : new Map<string, readonly Refund[]>();
  return payments.map((payment) => ({
    ...presentPayment(payment, { baseUrl, message: `The payment is ${payment.state}.` }),
    ...(expand.has('refunds')
      ? {
          refunds: (refunds.get(payment.paymentId) ?? []).map((refund) =>
            presentRefund(refund, payment.code),
          ),
        }
      : {}),
    ...(expand.has('attempts') ? { attempts: payment.attempts.map(presentAttempt) } : {}),
  }));
}
