// The link codes of payments, for modules below payments.

import { errors } from '../base/errors.ts';
import { companyOfLinkCode } from '../base/ids.ts';
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

/** The ID of the company's payment with this code. Throws `payment_not_found`, without a query for an invalid code. */
export async function requirePaymentId(tx: TenantTx, code: string): Promise<string> {
  const [payment] =
    companyOfLinkCode(code) === tx.companyId
      ? await tx.query<{ paymentId: string }>(
          'select payment_id as "paymentId" from payments where company_id = $1 and code = $2',
          [tx.companyId, code],
        )
      : [];
  if (!payment) throw errors.paymentNotFound();
  return payment.paymentId;
}
