// The sandbox's records in the form of an acquirer's journal, read from the tables for the fault tests.

import type { Database } from '../../src/db/database.ts';
import type { ChargeLine, JournalLine, RefundLine } from '../acquirer/journal.ts';

const chargeStates: Readonly<Record<string, ChargeLine['state']>> = {
  succeeded: 'charged',
  declined: 'declined',
  void: 'void',
  challenge: 'pending',
  pending: 'pending',
};

type ChargeRow = Omit<ChargeLine, 'type' | 'state' | 'about'> & { state: string; about: string | null };
type RefundRow = Omit<RefundLine, 'type' | 'state'> & { state: string };

/** Every charge and refund of the sandbox, as an acquirer's journal would have them. */
export async function readSandboxJournal(db: Database): Promise<JournalLine[]> {
  const charges = await db.asOwner.query<ChargeRow>(
    `select idempotency_key as key, reference, state, amount_minor as "amountMinor", currency, return_url as about
     from sandbox_charges`,
  );
  const refunds = await db.asOwner.query<RefundRow>(
    `select r.idempotency_key as key, r.reference, r.state, r.amount_minor as "amountMinor", r.currency,
            coalesce(c.idempotency_key, '') as "chargeKey"
     from sandbox_refunds r
     left join sandbox_charges c on c.company_id = r.company_id and c.reference = r.charge_reference`,
  );
  return [
    ...charges.map((row): ChargeLine => {
      const state = chargeStates[row.state];
      if (!state) throw new Error(`the sandbox has a charge that is ${row.state}`);
      return { ...row, type: 'charge', state, about: row.about ?? '' };
    }),
    ...refunds.map((row): RefundLine => {
      const state = row.state === 'succeeded' ? 'refunded' : 'refused';
      return { ...row, type: 'refund', state };
    }),
  ];
}
