// What a customer asks for, and how a payment stands afterwards.

import type { PaymentMethod } from '../connections/list-methods.ts';
import type { TenantScope } from '../db/database.ts';
import type { Attempt, Payment } from '../payments/store.ts';
import type { ProtectedCard } from '../processors/card.ts';

/** A payment and, when it has one that lives or was the last, its attempt. */
export type PaymentWithAttempt = { payment: Payment; attempt: Attempt | null };

/** How a customer wants to pay a link: the method, and the card for one that takes a card here. */
export type PayInput = TenantScope & {
  code: string;
  method: PaymentMethod;
  card: ProtectedCard | null;
  locale: string;
};
