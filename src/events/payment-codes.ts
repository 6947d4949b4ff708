// The link codes of payments, for modules below payments.

import type { TenantTx } from '../db/database.ts';
import { unnestDistinct } from '../db/unnest.ts';

/** The codes of payments by their IDs. */
export async function listCodes(
  tx: TenantTx,
  paymentIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ paymentId: string; code: string }>(
    // safe: our own text around a parameter.
    `select payment_id as "paymentId", code from ${unnestDistinct('$2')} join payments on payment_id = wanted where company_id = $1`,
    [tx.companyId, [...new Set(paymentIds)]],
  );
  return new Map(rows.map(({ paymentId, code }) => [paymentId, code]));
}

/** The ID of the payment with this code; null when the transaction sees none. */
export async function findPaymentId(tx: TenantTx, code: string): Promise<string | null> {
  const [payment] = await tx.query<{ paymentId: string }>(
    'select payment_id as "paymentId" from payments where company_id = $1 and code = $2',
    [tx.companyId, code],
  );
  return payment?.paymentId ?? null;
}
