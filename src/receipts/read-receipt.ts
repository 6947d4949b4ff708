// Reads the receipt of a payment as it is now. Only a paid payment has one, whether it was refunded or not.

import type { Locale } from '../base/locale.ts';
import { findLogo } from '../companies/logo-store.ts';
import type { Company } from '../companies/store.ts';
import type { Database } from '../db/database.ts';
import { findPaidAttempt, listPaidRefunds } from '../payments/receipt-store.ts';
import type { Payment } from '../payments/store.ts';
import type { ProcessorRegistry } from '../processors/processor.ts';
import { composeReceipt, type Receipt } from './compose-receipt.ts';
import { maxListedRefunds } from './receipt-rows.ts';

export type ReceiptDeps = { db: Database; processors: Pick<ProcessorRegistry, 'kinds'> };

/** The receipt of a payment in a language, with the logo if it is drawn; null if the payment is not paid. */
export async function readReceipt(
  { db, processors }: ReceiptDeps,
  paid: { company: Company; payment: Payment; locale: Locale; isDrawn: boolean },
): Promise<Receipt | null> {
  const { company, payment, locale, isDrawn } = paid;
  if (payment.state !== 'paid') return null;
  const mayHaveLogo = isDrawn && (company.logoFile ?? company.logoHash) !== null;
  const { charged, refunds, logo } = await db.inTenant(payment, async (tx) => ({
    charged: await findPaidAttempt(tx, payment.paymentId),
    // One more than are listed tells that there are too many.
    refunds: await listPaidRefunds(tx, payment.paymentId, maxListedRefunds + 1),
    logo: mayHaveLogo ? await findLogo(tx) : null,
  }));
  if (!charged) return null;
  const kind = processors.kinds.find(({ name }) => name === charged.processor);
  const otherMethod = kind && charged.cardLast4 === null ? kind : null;
  const receipt = composeReceipt({ company, payment, charged, otherMethod, refunds }, locale);
  return { ...receipt, logo: logo?.bytes ?? null };
}
