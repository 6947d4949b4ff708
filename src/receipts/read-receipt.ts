// Reads the receipt of a payment as it is now. Only a paid payment has one, whether it was refunded or not.

import type { Locale } from '../base/locale.ts';
import type { Company } from '../companies/store.ts';
import type { Database } from '../db/database.ts';
import { findPaidAttempt, listPaidRefunds } from '../payments/receipt-store.ts';
import type { Payment } from '../payments/store.ts';
import type { ProcessorRegistry } from '../processors/processor.ts';
import { composeReceipt, type Receipt } from './compose-receipt.ts';
import { maxListedRefunds } from './receipt-rows.ts';

export type ReceiptDeps = { db: Database; processors: Pick<ProcessorRegistry, 'kinds'> };

/** The receipt of a payment in a language; null if it is not paid. */
export async function readReceipt(
  { db, processors }: ReceiptDeps,
  paid: { company: Company; payment: Payment; locale: Locale },
): Promise<Receipt | null> {
  const { company, payment, locale } = paid;
  if (payment.state !== 'paid') return null;
  const { charged, refunds } = await db.inTenant(payment, async (tx) => ({
    charged: await findPaidAttempt(tx, payment.paymentId),
    // One more than are listed tells that there are too many.
    refunds: await listPaidRefunds(tx, payment.paymentId, maxListedRefunds + 1),
  }));
  if (!charged) return null;
  const kind = processors.kinds.find(({ name }) => name === charged.processor);
  const otherMethod = kind && charged.cardLast4 === null ? kind : null;
  return composeReceipt({ company, payment, charged, otherMethod, refunds }, locale);
}
