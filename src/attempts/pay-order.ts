// The input of a payment by a customer, and the payment with its attempt afterwards.

import type { PaymentMethod } from '../connections/list-methods.ts';
import type { TenantScope } from '../db/database.ts';
import type { Attempt, Payment } from '../payments/store.ts';
import type { ProtectedCard } from '../processors/card.ts';

/** A payment with its live or latest attempt, if it has one. */
export type PaymentWithAttempt = { payment: Payment; attempt: Attempt | null };

/** How a customer wants to pay a link: the method, and the card if the method takes one on the page. */
export type PayInput = TenantScope & {
  code: string;
  method: PaymentMethod;
  card: ProtectedCard | null;
  locale: string;
};
