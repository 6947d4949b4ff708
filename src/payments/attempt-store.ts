// Attempts of many payments at once, for the batched steps of paying. Only transition.ts changes their status. An
// attempt is inserted in its first status.

import type { TenantTx } from '../db/database.ts';
import { unnestDistinct } from '../db/unnest.ts';
import { type Attempt, attemptColumns } from './store.ts';

export type NewAttempt = Pick<
  Attempt,
  | 'attemptId'
  | 'paymentId'
  | 'processor'
  | 'connectionId'
  | 'amountMinor'
  | 'currency'
  | 'cardBrand'
  | 'cardLast4'
  | 'locale'
  | 'createdAt'
  | 'expiresAt'
>;

/**
 * Inserts attempts of different links in status `created`. Returns the IDs of the inserted ones. The other links have
 * an attempt that is live or took the money.
 */
export async function insertAttempts(
  tx: TenantTx,
  attempts: readonly NewAttempt[],
): Promise<ReadonlySet<string>> {
  if (attempts.length === 0) return new Set();
  const all = <Value>(read: (attempt: NewAttempt) => Value) => attempts.map(read);
  const rows = await tx.query<{ attemptId: string }>(
    `insert into attempts (company_id, attempt_id, payment_id, state, processor, connection_id, amount_minor, currency,
                           card_brand, card_last4, locale, created_at, updated_at, expires_at)
     select $1, attempt_id, payment_id, 'created', processor, connection_id, amount_minor, currency,
            card_brand, card_last4, locale, created_at, created_at, expires_at
     from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[],
                 $10::text[], $11::timestamptz[], $12::timestamptz[])
       as new (attempt_id, payment_id, processor, connection_id, amount_minor, currency, card_brand, card_last4,
               locale, created_at, expires_at)
     on conflict (company_id, mode, payment_id)
       where state in ('created', 'requires_action', 'processing', 'unknown', 'succeeded') do nothing
     returning attempt_id as "attemptId"`,
    [
      tx.companyId,
      all(({ attemptId }) => attemptId),
      all(({ paymentId }) => paymentId),
      all(({ processor }) => processor),
      all(({ connectionId }) => connectionId),
      all(({ amountMinor }) => amountMinor),
      all(({ currency }) => currency),
      all(({ cardBrand }) => cardBrand),
      all(({ cardLast4 }) => cardLast4),
      all(({ locale }) => locale),
      all(({ createdAt }) => createdAt),
      all(({ expiresAt }) => expiresAt),
    ],
  );
  return new Set(rows.map(({ attemptId }) => attemptId));
}

/**
 * The attempts of each payment, oldest first, with the live or succeeded one last, of which there is at most one:
 * whatever the clocks of several processes, the last is the current one. Payments without attempts are missing.
 */
export async function listAttemptsOfPayments(
  tx: TenantTx,
  paymentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Attempt[]>> {
  const rows = await tx.query<Attempt>(
    // safe: our own list of columns.
    `select ${attemptColumns} from ${unnestDistinct('$2')} join attempts on payment_id = wanted where company_id = $1
     order by state in ('created', 'requires_action', 'processing', 'unknown', 'succeeded'), attempt_id`,
    [tx.companyId, paymentIds],
  );
  return Map.groupBy(rows, ({ paymentId }) => paymentId);
}
