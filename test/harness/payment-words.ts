// Waits for the words of payments, which a worker fills after the events, and takes them away as before the upgrade.

import type { Database } from '../../src/db/database.ts';
import { fillPaymentWords } from '../../src/search/fill-words.ts';
import { until } from './process.ts';

const countMissing = `
  select count(*)::int as count from events e left join payment_word_positions p on p.company_id = e.company_id
  where e.company_id = $1 and (p.is_filled is not true or e.xact >= p.xact)`;

/** Fills until the words of all events of a company so far are there. Waits for transactions of other tests. */
export async function fillWordsOf(db: Database, companyId: string): Promise<void> {
  await until(async () => {
    await fillPaymentWords({ db });
    const [row] = await db.inBothModes(
      companyId,
      async (tx) => await tx.query<{ count: number }>(countMissing, [companyId]),
    );
    return row?.count === 0;
  }, 'the words of payments');
}

/** The state of a company whose payments are older than the words, as the connecting superuser. */
export async function forgetWords(db: Database, companyId: string): Promise<void> {
  await db.asOwner.query('delete from payment_words where company_id = $1', [companyId]);
  await db.asOwner.query(
    `update payment_word_positions set xact = '0', event_id = '', is_filled = false where company_id = $1`,
    [companyId],
  );
}
