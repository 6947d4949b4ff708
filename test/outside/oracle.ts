// Compares what was reported to callers with the tables, by SQL of its own. Must not: import code of the service, ask the
// service, or change a row. Run it when no request is open.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Hooks, Journal } from './shop.ts';

/** What the service reported to its callers, as the parameters of a query. */
type Reported = { [column: string]: readonly unknown[] };

type Check = {
  /** A sentence about each row that the query finds; `$row` is the row's name. */
  fault: string;
  sql: string;
  reported?: (journal: Journal) => Reported;
};

const links = ({ links: made }: Journal): Reported => ({
  code: made.map(({ code }) => code),
  order_id: made.map(({ orderId }) => orderId),
  amount: made.map(({ amountMinor }) => amountMinor),
});
const ends = ({ ends: seen }: Journal): Reported => ({ code: [...seen.keys()], status: [...seen.values()] });
const refunds = ({ refunds: made }: Journal): Reported => ({
  id: made.map(({ refundId }) => refundId),
  code: made.map(({ code }) => code),
  amount: made.map(({ amountMinor }) => amountMinor),
});

/** The captured charges of the processor with the link for which each was made, by its return address. */
const charges = `(select substring(return_url from '/pay/([^/]+)/return') as code, reference, idempotency_key,
  amount_minor, currency from sandbox_charges where state = 'succeeded')`;

const reported = {
  links: 'unnest($1::text[], $2::text[], $3::bigint[]) as reported(code, order_id, amount)',
  ends: 'unnest($1::text[], $2::text[]) as reported(code, status)',
  refunds: 'unnest($1::text[], $2::text[], $3::bigint[]) as reported(id, code, amount)',
};

const checks: readonly Check[] = [
  {
    fault: 'lost: link $row was acknowledged and is not stored so',
    sql: `select reported.code as row from ${reported.links} left join payments p
          on p.code = reported.code and p.customer_order_id = reported.order_id and p.amount_minor = reported.amount
          where p.code is null`,
    reported: links,
  },
  {
    fault: 'doubled: link $row is stored and was reported to nobody',
    sql: `select p.code as row from payments p left join ${reported.links} on reported.code = p.code where reported.code is null`,
    reported: links,
  },
  {
    fault: 'doubled: order $row has more than one link',
    sql: 'select customer_order_id as row from payments group by 1 having count(*) > 1',
  },
  {
    fault: 'lost: link $row has another status than its customer or its merchant saw',
    sql: `select reported.code as row from ${reported.ends} left join payments p using (code) where p.state is distinct from reported.status`,
    reported: ends,
  },
  {
    fault: 'doubled: link $row was charged more than once',
    sql: `select code as row from ${charges} c group by code having count(*) > 1`,
  },
  {
    fault: 'lost: link $row is paid without a charge of its amount',
    sql: `select p.code as row from payments p left join ${charges} c
          on c.code = p.code and c.amount_minor = p.amount_minor and c.currency = p.currency
          where p.state = 'paid' and c.code is null`,
  },
  {
    fault: 'lost: link $row was charged and is not paid',
    sql: `select c.code as row from ${charges} c left join payments p on p.code = c.code and p.state = 'paid'
          where p.code is null`,
  },
  {
    fault: 'lost: refund $row was acknowledged and was not made of its charge, in its amount',
    sql: `select reported.id as row from ${reported.refunds} left join
            (select r.idempotency_key, r.amount_minor, c.code from sandbox_refunds r
             join ${charges} c on c.reference = r.charge_reference where r.state = 'succeeded') made
          on made.idempotency_key = reported.id and made.amount_minor = reported.amount and made.code = reported.code
          where made.code is null`,
    reported: refunds,
  },
  {
    fault: 'doubled: refund $row was made and reported to nobody',
    sql: `select r.idempotency_key as row from sandbox_refunds r left join ${reported.refunds}
          on reported.id = r.idempotency_key where reported.id is null`,
    reported: refunds,
  },
  {
    fault: 'doubled: more was refunded of link $row than charged',
    sql: `select c.code as row from ${charges} c join sandbox_refunds r
          on r.charge_reference = c.reference and r.state = 'succeeded'
          group by c.code, c.amount_minor having sum(r.amount_minor) > c.amount_minor`,
  },
  {
    fault: 'the ledger has not one capture of link $row',
    sql: `select p.code as row from payments p left join ledger_entries l
          on l.payment_id = p.payment_id and l.kind = 'capture' and l.amount_minor = p.amount_minor
          where p.state = 'paid' group by p.code having count(l.entry_id) <> 1`,
  },
  {
    fault: 'the ledger and the processor disagree about the refunds of link $row',
    sql: `select p.code as row from payments p
          left join (select payment_id, sum(amount_minor) as minor from ledger_entries where kind = 'refund' group by 1) l
            on l.payment_id = p.payment_id
          left join (select c.code, sum(r.amount_minor) as minor from sandbox_refunds r join ${charges} c
                       on c.reference = r.charge_reference where r.state = 'succeeded' group by 1) r on r.code = p.code
          where coalesce(l.minor, 0) <> coalesce(r.minor, 0)`,
  },
  {
    fault: 'the ledger has an entry $row that is neither a capture nor a refund',
    sql: `select entry_id as row from ledger_entries where kind not in ('capture', 'refund')`,
  },
  {
    fault: 'link $row has not one event of its creation and one of its end',
    sql: `select p.code as row from payments p left join events e
          on e.payment_id = p.payment_id and e.type in ('payment.created', 'payment.' || p.state)
          group by p.code, p.state
          having count(*) filter (where e.type = 'payment.created') <> 1
              or count(*) filter (where e.type = 'payment.' || p.state) <> (p.state <> 'open')::int`,
  },
  {
    fault: 'link $row is still being paid',
    sql: "select code as row from payments where state = 'processing'",
  },
  {
    fault: 'delivery $row was given up',
    sql: "select delivery_id as row from webhook_deliveries where state <> 'delivered'",
  },
];

async function readOnly<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Waits until nothing is in progress or undelivered, up to a limit. The checks report what is left. */
export async function awaitRest(databaseUrl: string, limitMs = 60_000): Promise<void> {
  const text = `select (select count(*) from attempts where state not in ('succeeded', 'declined', 'cancelled'))
    + (select count(*) from refunds where state not in ('succeeded', 'failed'))
    + (select count(*) from webhook_deliveries where state = 'pending') as left`;
  for (const until = performance.now() + limitMs; performance.now() < until; await sleep(500)) {
    const { rows } = await readOnly(databaseUrl, async (client) => await client.query(text));
    if (Number(rows[0]?.left) === 0) return;
  }
}

/** The events that did not reach the receiver, and messages that are no events. Earlier events have no endpoint. */
async function compareArrivals(client: pg.Client, { arrivals, faults }: Hooks): Promise<string[]> {
  const { rows } = await client.query<{ id: string; type: string }>(
    `select event_id as id, type from events
     where is_public and at > (select min(created_at) from webhook_endpoints)`,
  );
  const known = new Set(rows.map(({ id }) => id));
  const missing = rows.filter(({ id }) => !arrivals.has(id));
  return [
    ...missing.map(({ id, type }) => `lost: event ${id} (${type}) never arrived`),
    ...[...arrivals.keys()].filter((id) => !known.has(id)).map((id) => `doubled: no event is message ${id}`),
    ...faults,
  ];
}

/** Everything that contradicts what was reported to callers, as sentences; at most 20 for each kind. */
export async function findContradictions(
  databaseUrl: string,
  journal: Journal,
  hooks: Hooks,
): Promise<string[]> {
  return await readOnly(databaseUrl, async (client) => {
    const found: string[] = [];
    for (const { fault, sql, reported: columns } of checks) {
      const { rows } = await client.query<{ row: string }>(
        `${sql} limit 20`,
        Object.values(columns?.(journal) ?? {}),
      );
      found.push(...rows.map(({ row }) => fault.replace('$row', row)));
    }
    return [...found, ...(await compareArrivals(client, hooks))];
  });
}
