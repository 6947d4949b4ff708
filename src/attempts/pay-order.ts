// The input and the result of paying.

import type { Company } from '../companies/store.ts';
import type { PaymentMethod } from '../connections/list-methods.ts';
import type { TenantScope } from '../db/database.ts';
import type { Attempt, Payment } from '../payments/store.ts';
import type { ProtectedCard } from '../processors/card.ts';

/** A payment with its live or latest attempt, if it has one. */
export type PaymentWithAttempt = { payment: Payment; attempt: Attempt | null };

/** `card`: null if the method does not take a card on our page. */
export type PayInput = TenantScope & {
  code: string;
  /** The company, as the page of the link read it. */
  merchant: Pick<Company, 'name' | 'retryPolicy'>;
  method: PaymentMethod;
  card: ProtectedCard | null;
  locale: string;
};
