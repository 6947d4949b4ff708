// The input and the result of paying.

import { type Locale, locales } from '../base/locale.ts';
import { matchLocale } from '../base/match-locale.ts';
import type { Company } from '../companies/store.ts';
import type { PaymentMethod } from '../connections/list-methods.ts';
import type { TenantScope } from '../db/database.ts';
import type { Attempt, Payment } from '../payments/store.ts';
import type { ProtectedCard } from '../processors/card.ts';

/** A payment with its live or latest attempt, if it has one. */
export type PaymentWithAttempt = { payment: Payment; attempt: Attempt | null };

/**
 * The languages of an attempt on a page. The processor gets the one that the merchant requested, with its region, unless the
 * customer chose another one. One that our pages lack is passed on too, and then the page's is not kept: only a choice is.
 */
export function localesOf(
  { locale, customerLocale }: Pick<Payment, 'locale' | 'customerLocale'>,
  page: Locale,
): Pick<PayInput, 'locale' | 'pageLocale'> {
  if (locale === null) return { locale: page, pageLocale: page };
  const ours = matchLocale(locale, locales);
  const isOfMerchant = ours === page || (ours === null && customerLocale === null);
  return { locale: isOfMerchant ? locale : page, pageLocale: ours === null ? null : page };
}

/** `card`: null if the method does not take a card on our page. */
export type PayInput = TenantScope & {
  code: string;
  /** The company, as the page of the link read it. */
  merchant: Pick<Company, 'name' | 'retryPolicy' | 'statementDescriptor'>;
  method: PaymentMethod;
  card: ProtectedCard | null;
  /** The language for the processor. */
  locale: string;
  /** The language to keep for the customer; null keeps none. */
  pageLocale: string | null;
};
