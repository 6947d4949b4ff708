// Faults that are planted into a copy of the tables after a run, each of which the oracle must find.

import pg from 'pg';
import type { TestDatabase } from '../harness/services.ts';
import { findContradictions } from './oracle.ts';
import type { Hooks, Journal } from './shop.ts';

type Plant = { what: string; sql: string; finds: RegExp };

const paid = "(select code from payments where state = 'paid' order by payment_id limit 1)";
const charged = `return_url like '%/pay/' || ${paid} || '/return'`;

const plants: readonly Plant[] = [
  {
    what: 'an acknowledged link is gone',
    sql: `delete from payments where code = ${paid}`,
    finds: /^lost: link \S+ was acknowledged and is not stored so$/m,
  },
  {
    what: 'a link whose amount is another',
    sql: `update payments set amount_minor = amount_minor + 1 where code = ${paid}`,
    finds: /^lost: link \S+ was acknowledged and is not stored so$/m,
  },
  {
    what: 'a payment that is open again',
    sql: `update payments set state = 'open', refunded_minor = 0 where code = ${paid}`,
    finds: /^lost: link \S+ has another status than its customer or its merchant saw$/m,
  },
  {
    what: 'a second charge for a link',
    sql: `insert into sandbox_charges (company_id, idempotency_key, reference, state, amount_minor, currency, return_url,
            created_at, mode)
          select company_id, 'att_planted', 'planted', state, amount_minor, currency, return_url, created_at, mode
          from sandbox_charges where ${charged}`,
    finds: /^doubled: link \S+ was charged more than once$/m,
  },
  {
    what: 'a payment without its charge',
    sql: `delete from sandbox_charges where ${charged}`,
    finds: /^lost: link \S+ is paid without a charge of its amount$/m,
  },
  {
    what: 'a refund of another amount',
    sql: `update sandbox_refunds set amount_minor = amount_minor + 1
          where idempotency_key = (select min(idempotency_key) from sandbox_refunds)`,
    finds: /^lost: refund \S+ was acknowledged and was not made of its charge, in its amount$/m,
  },
  {
    what: 'a capture that the ledger lacks',
    sql: `delete from ledger_entries where kind = 'capture'
          and payment_id = (select payment_id from payments where code = ${paid})`,
    finds: /^the ledger has not one capture of link \S+$/m,
  },
  {
    what: 'an event that is gone',
    sql: `delete from events where type = 'payment.paid'
          and payment_id = (select payment_id from payments where code = ${paid})`,
    finds: /^link \S+ has not one event of its creation and one of its end$/m,
  },
];

/** Plants each fault into a copy and runs the oracle. Returns the faults that it did not find. */
export async function findMissedPlants(
  copy: () => Promise<TestDatabase>,
  journal: Journal,
  hooks: Hooks,
): Promise<string[]> {
  const missed: string[] = [];
  for (const { what, sql, finds } of plants) {
    await using database = await copy();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    // Without triggers and foreign keys, which would refuse such rows.
    await client.query('set session_replication_role = replica');
    const { rowCount } = await client.query(sql);
    await client.end();
    const found = await findContradictions(database.url, journal, hooks);
    if (rowCount !== 1 || !finds.test(found.join('\n'))) missed.push(`${what}: ${found.join('; ')}`);
  }
  const [first] = hooks.arrivals.keys();
  const arrivals = new Map([...hooks.arrivals].filter(([id]) => id !== first));
  await using untouched = await copy();
  const found = await findContradictions(untouched.url, journal, { ...hooks, arrivals });
  if (!found.some((fault) => fault.startsWith(`lost: event ${first} (`)))
    missed.push('a message that never arrived');
  return missed;
}
