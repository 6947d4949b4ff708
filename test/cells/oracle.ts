// Compares what was reported to the companies of an installation with the tables of its cells, by SQL of its own. Must not:
// import code of the service. Run it when no request is open.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Journal, Receiver } from './clients.ts';

export type CellAt = { name: string; url: string };

async function read<R extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(text, values)).rows;
  } finally {
    await client.end();
  }
}

const restSql = `select (select count(*) from attempts where state not in ('succeeded', 'declined', 'cancelled'))
  + (select count(*) from refunds where state not in ('succeeded', 'failed'))
  + (select count(*) from webhook_deliveries where state = 'pending') as left`;

/** What has failed several times is due minutes later. */
const retryTexts = [
  ['attempts', "state in ('created', 'processing', 'unknown')"],
  ['refunds', "state in ('created', 'processing', 'unknown')"],
  ['webhook_deliveries', "state = 'pending'"],
].map(
  // safe: constants.
  ([table, isOpen]) =>
    `update ${table} set due_at = statement_timestamp() where ${isOpen} and due_at > statement_timestamp() + interval '5 s'`,
);

/**
 * Waits until nothing is in progress or undelivered in any cell, up to a limit. What would be tried again later is due soon. The
 * checks report what is left.
 */
export async function awaitRest(cells: readonly CellAt[], limitMs = 100_000): Promise<void> {
  for (const until = performance.now() + limitMs; performance.now() < until; await sleep(500)) {
    const left = await Promise.all(cells.map(async ({ url }) => Number((await read(url, restSql))[0]?.left)));
    if (left.every((count) => count === 0)) return;
    for (const { url } of cells) for (const text of retryTexts) await read(url, text);
  }
}

/** The tables with rows of companies, and how many rows of each company they have. */
async function countRows(url: string): Promise<Map<string, number>> {
  const tables = await read<{ name: string }>(
    url,
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
  );
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    // safe: the name comes from the catalogue, and is quoted.
    const sql = `select company_id as id, count(*)::int as count from ${pg.escapeIdentifier(name)} group by 1`;
    for (const { id, count } of await read<{ id: string; count: number }>(url, sql))
      counts.set(id, (counts.get(id) ?? 0) + count);
  }
  return counts;
}

/** Every company works in exactly one cell, and only this cell has rows of it. Returns the cell of each. */
async function findHomes(
  cells: readonly CellAt[],
  journals: readonly Journal[],
  found: string[],
): Promise<Map<string, CellAt>> {
  const homes = new Map<string, CellAt>();
  const rows = new Map<string, string[]>();
  for (const cell of cells) {
    const listed = await read<{ company: string }>(
      cell.url,
      "select company from company_homes where status = 'home'",
    );
    for (const { company } of listed) {
      if (homes.has(company)) found.push(`doubled: ${company} is at home in two cells`);
      homes.set(company, cell);
    }
    for (const company of (await countRows(cell.url)).keys())
      rows.set(company, [...(rows.get(company) ?? []), cell.name]);
  }
  for (const { companyId } of journals) {
    const home = homes.get(companyId)?.name;
    if (home === undefined) found.push(`lost: ${companyId} is at home nowhere`);
    const places = rows.get(companyId) ?? [];
    if (places.join() !== home)
      found.push(`crossed: ${companyId} is at home in ${home}, with rows in ${places}`);
  }
  return homes;
}

/** The captured charges with the link of each. */
const charges = `(select substring(return_url from '/pay/([^/]+)/return') as code, reference, amount_minor
  from sandbox_charges where state = 'succeeded' and company_id = $1)`;

type Check = { fault: string; sql: string; values?: (journal: Journal) => unknown[] };

const linkValues = ({ links }: Journal) => [
  links.map(({ code }) => code),
  links.map(({ orderId }) => orderId),
  links.map(({ amountMinor }) => amountMinor),
];

/** $1 is the company; a query returns rows with `row`. */
const checks: readonly Check[] = [
  {
    fault: 'lost: link $row was acknowledged and is not stored so',
    sql: `select reported.code as row from unnest($2::text[], $3::text[], $4::bigint[]) as reported(code, order_id, amount)
          left join payments p on p.company_id = $1 and p.code = reported.code
            and p.customer_order_id = reported.order_id and p.amount_minor = reported.amount
          where p.code is null`,
    values: linkValues,
  },
  {
    fault: 'doubled: link $row was reported to nobody',
    sql: `select code as row from payments where company_id = $1 and code <> all($2::text[])`,
    values: ({ links }) => [links.map(({ code }) => code)],
  },
  {
    fault: 'lost: link $row has another status than was seen',
    sql: `select reported.code as row from unnest($2::text[], $3::text[]) as reported(code, status)
          left join payments p on p.company_id = $1 and p.code = reported.code
          where p.state is distinct from reported.status`,
    values: ({ ends }) => [[...ends.keys()], [...ends.values()]],
  },
  {
    fault: 'doubled: link $row was charged more than once',
    sql: `select code as row from ${charges} c group by code having count(*) > 1`,
  },
  {
    fault: 'link $row is paid without a charge of its amount, or was charged and is not paid',
    sql: `select coalesce(p.code, c.code) as row
          from (select code, amount_minor from payments where company_id = $1 and state = 'paid') p
          full join ${charges} c on c.code = p.code and c.amount_minor = p.amount_minor
          where p.code is null or c.code is null`,
  },
  {
    fault: 'refund $row was acknowledged and not made once, in its amount, of its charge',
    sql: `select reported.id as row from unnest($2::text[], $3::text[], $4::bigint[]) as reported(id, code, amount)
          left join (select r.idempotency_key, r.amount_minor, c.code from sandbox_refunds r
                     join ${charges} c on c.reference = r.charge_reference
                     where r.company_id = $1 and r.state = 'succeeded') made
            on made.idempotency_key = reported.id and made.amount_minor = reported.amount and made.code = reported.code
          group by reported.id having count(made.code) <> 1`,
    values: ({ refunds }) => [
      refunds.map(({ refundId }) => refundId),
      refunds.map(({ code }) => code),
      refunds.map(({ amountMinor }) => amountMinor),
    ],
  },
  {
    fault: 'doubled: refund $row was made and reported to nobody',
    sql: `select idempotency_key as row from sandbox_refunds where company_id = $1 and idempotency_key <> all($2::text[])`,
    values: ({ refunds }) => [refunds.map(({ refundId }) => refundId)],
  },
  {
    fault: 'the ledger has not one capture of link $row',
    sql: `select p.code as row from payments p left join ledger_entries l on l.company_id = p.company_id
            and l.payment_id = p.payment_id and l.kind = 'capture' and l.amount_minor = p.amount_minor
          where p.company_id = $1 and p.state = 'paid' group by p.code having count(l.entry_id) <> 1`,
  },
  {
    fault: 'link $row has not one event of its creation and one of its end',
    sql: `select p.code as row from payments p left join events e on e.company_id = p.company_id
            and e.payment_id = p.payment_id and e.type in ('payment.created', 'payment.' || p.state)
          where p.company_id = $1 group by p.code, p.state
          having count(*) filter (where e.type = 'payment.created') <> 1
              or count(*) filter (where e.type = 'payment.' || p.state) <> (p.state <> 'open')::int`,
  },
  {
    fault: 'delivery $row was not delivered',
    sql: "select delivery_id as row from webhook_deliveries where company_id = $1 and state <> 'delivered'",
  },
  {
    fault: 'the chain of seals breaks at $row',
    sql: `select position::text as row from (
            select position, row_number() over (order by position) as wanted, xact, event_id,
              lag((xact, event_id)) over (order by position) as before
            from event_seals where company_id = $1) s
          where position <> wanted or (xact, event_id) <= before`,
  },
];

const eventsSql = `select event_id as id from events where company_id = $1 and is_public and mode = 'test'
  order by xact, event_id`;

/** The feed that was read is that of the table: without gap, without repeat, in its order. */
async function compareFeed(url: string, { companyId, feed }: Journal): Promise<string[]> {
  const stored = (await read<{ id: string }>(url, eventsSql, [companyId])).map(({ id }) => id);
  const seen = new Set(feed);
  const known = new Set(stored);
  const found = [
    ...stored.filter((id) => !seen.has(id)).map((id) => `lost: event ${id} never came in the feed`),
    ...feed
      .filter((id) => !known.has(id))
      .map((id) => `crossed: the feed had event ${id}, which is not stored`),
  ];
  if (seen.size < feed.length) found.push(`doubled: the feed repeated ${feed.length - seen.size} events`);
  if (found.length === 0 && stored.join() !== feed.join())
    found.push('the feed had another order than the table');
  return found;
}

/** Each public event reached the company's endpoint; earlier ones than the endpoint had none. */
async function compareArrivals(
  url: string,
  { companyId }: Journal,
  { arrivals }: Receiver,
): Promise<string[]> {
  const rows = await read<{ id: string; type: string }>(
    url,
    `select event_id as id, type from events where company_id = $1 and is_public
       and at > (select min(created_at) from webhook_endpoints where company_id = $1)`,
    [companyId],
  );
  const known = new Set(rows.map(({ id }) => id));
  const own = arrivals.get(companyId) ?? new Map<string, number>();
  return [
    ...rows
      .filter(({ id }) => !own.has(id))
      .map(({ id, type }) => `lost: event ${id} (${type}) never arrived`),
    ...[...own.keys()]
      .filter((id) => !known.has(id))
      .map((id) => `crossed: no event of the company is message ${id}`),
  ];
}

async function checkCompany(url: string, journal: Journal, hooks: Receiver): Promise<string[]> {
  const found = [...journal.faults];
  for (const { fault, sql, values } of checks) {
    const rows = await read<{ row: string }>(url, `${sql} limit 20`, [
      journal.companyId,
      ...(values?.(journal) ?? []),
    ]);
    found.push(...rows.map(({ row }) => fault.replace('$row', row)));
  }
  found.push(...(await compareFeed(url, journal)), ...(await compareArrivals(url, journal, hooks)));
  return found.map((sentence) => `${journal.companyId}: ${sentence}`);
}

/** Everything that contradicts what was reported, as sentences. */
export async function findContradictions(
  cells: readonly CellAt[],
  journals: readonly Journal[],
  hooks: Receiver,
): Promise<string[]> {
  const found: string[] = [...hooks.faults];
  const homes = await findHomes(cells, journals, found);
  for (const journal of journals) {
    const home = homes.get(journal.companyId);
    if (home) found.push(...(await checkCompany(home.url, journal, hooks)));
  }
  return found;
}
