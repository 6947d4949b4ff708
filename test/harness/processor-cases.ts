// Cases about money that Paylink cannot account for.

import type { Paylink } from './paylink.ts';

/** A case of the paid payment with a code. Its processor reference is `ch_1`. */
export async function insertProcessorCase({ app }: Pick<Paylink, 'app'>, code: string): Promise<void> {
  await app.deps.db.asOwner.query(
    `insert into processor_cases (company_id, mode, attempt_id, code, processor_reference, payment_id, amount_minor,
                                  currency, created_at)
     select company_id, mode, attempt_id, 'currency_mismatch', 'ch_1', payment_id, 100, 'JPY', now()
     from attempts join payments p using (company_id, mode, payment_id) where p.code = $1`,
    [code],
  );
}
