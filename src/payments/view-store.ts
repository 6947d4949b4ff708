// The SQL of looks at several payments at once: one exported function per statement. It only reads.

import type { TenantTx } from '../db/database.ts';
import { type Attempt, attemptColumns, type Payment, paymentColumns } from './store.ts';

/** The payments of codes, in no order; a code that is nobody's gives none. */
export async function listPaymentsByCode(tx: TenantTx, codes: readonly string[]): Promise<Payment[]> {
  return await tx.query<Payment>(
    // safe: the columns are a literal of store.ts, values are parameters.
    `select ${paymentColumns} from payments where company_id = $1 and code = any($2)`,
    [tx.companyId, codes],
  );
}

/** The attempts of several payments, by their ids; each payment's in the order of `listAttempts`. */
export async function listAttemptsOfEach(
  tx: TenantTx,
  paymentIds: readonly string[],
): Promise<ReadonlyMap<string, Attempt[]>> {
  // A payment has a bounded number of attempts (retry-policy.ts), and callers bring a bounded number of payments.
  const rows = await tx.query<Attempt>(
    // safe: the columns are a literal of store.ts, values are parameters.
    `select ${attemptColumns} from attempts where company_id = $1 and payment_id = any($2)
     order by state in ('created', 'requires_action', 'processing', 'unknown', 'succeeded'), attempt_id`,
    [tx.companyId, paymentIds],
  );
  return Map.groupBy(rows, ({ paymentId }) => paymentId);
}
