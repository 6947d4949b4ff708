// The link codes of payments, for modules below payments.

import { errors } from '../base/errors.ts';
import { companyOfLinkCode } from '../base/ids.ts';
import type { TenantTx } from '../db/database.ts';
import { statement, t } from '../db/statements.ts';
import { unnestDistinct } from '../db/unnest.ts';

const listCodesSql = statement({ paymentId: t.text, code: t.text })`
  select payment_id as "paymentId", code from ${unnestDistinct('$2')} join payments on payment_id = wanted where company_id = $1`;

/** The codes of payments by their IDs. */
export async function listCodes(
  tx: TenantTx,
  paymentIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query(listCodesSql, [tx.companyId, [...new Set(paymentIds)]]);
  return new Map(rows.map(({ paymentId, code }) => [paymentId, code]));
}

const findPaymentIdSql = statement({ paymentId: t.text })`
  select payment_id as "paymentId" from payments where company_id = $1 and code = $2`;

/** The ID of the company's payment with this code. Throws `payment_not_found`, without a query for an invalid code. */
export async function requirePaymentId(tx: TenantTx, code: string): Promise<string> {
  const isOwn = companyOfLinkCode(code) === tx.companyId;
  const [payment] = isOwn ? await tx.query(findPaymentIdSql, [tx.companyId, code]) : [];
  if (!payment) throw errors.paymentNotFound();
  return payment.paymentId;
}
