// What a customer asks for, and how a payment stands afterwards.

import type { Method } from '../connections/list-methods.ts';
import type { TenantScope } from '../db/database.ts';
import type { Attempt, Payment } from '../payments/store.ts';
import type { SealedCard } from '../processors/card.ts';

/** A payment and, when it has one that lives or was the last, its attempt. */
export type Standing = { payment: Payment; attempt: Attempt | null };

/** How a customer wants to pay a link: the method, and the card for one that takes a card here. */
export type PayOrder = TenantScope & {
  code: string;
  method: Method;
  card: SealedCard | null;
  locale: string;
};
