// The throw-away PostgreSQL as the bench sees it: a database for the service as docs/operations.md makes one,
// filled with payments that were never asked for, and its counters. It goes round the product's own way of
// making payments; nothing here may be taken for what the service does.

import pg from 'pg';

export type Bench = {
  admin: pg.Client;
  /** The address that the service is given. */
  url: string;
  postmasterPid: number;
};

const databaseName = 'paylink_bench';

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Makes the database on a cluster whose superuser's address is given. */
export async function createBench(clusterUrl: string): Promise<Bench> {
  const first = await connect(clusterUrl);
  for (const statement of [
    'create role paylink login',
    // safe: the name is ours.
    `create database ${databaseName} owner paylink`,
    'create role paylink_tenant nologin role paylink',
    'create role paylink_system nologin role paylink',
  ])
    await first.query(statement);
  await first.end();
  const url = new URL(clusterUrl);
  url.pathname = `/${databaseName}`;
  const admin = await connect(url.href);
  const { rows } = await admin.query<{ file: string }>(`select pg_read_file('postmaster.pid') as file`);
  url.username = 'paylink';
  return { admin, url: url.href, postmasterPid: Number(rows[0]?.file.split('\n')[0]) };
}

export async function one<T extends pg.QueryResultRow>(
  { admin }: Bench,
  text: string,
  values: readonly unknown[] = [],
): Promise<T> {
  const { rows } = await admin.query<T>(text, [...values]);
  if (rows.length !== 1 || !rows[0]) throw new Error(`${rows.length} rows instead of one: ${text}`);
  return rows[0];
}

/** Of 20 payments one is open, fifteen are paid; ids count up and sort before all that the service makes. */
const filledStates = `(array['open', 'failed', 'expired', 'cancelled', 'expired'])[1 + least(i % 20, 4)]`;

async function insertPayments(
  { admin }: Bench,
  companyId: string,
  [from, to]: readonly [from: number, to: number],
  states: string,
): Promise<void> {
  // safe: the expression is a literal of this file.
  await admin.query(
    `insert into payments (company_id, payment_id, code, customer_order_id, state, mode, amount_minor, currency, email,
                           first_name, last_name, country, success_url, failure_url, expires_at, created_by, created_at, updated_at)
     select $1, 'pay_' || lpad(i::text, 10, '0') || repeat('0', 16), substr($1, 4) || lpad(i::text, 22, '0'),
            case when i % 10 = 0 then 'web-' else 'shop-' end || i, ${states}, 'test', 100 + i % 100000,
            case when i % 3 = 0 then 'USD' else 'EUR' end,
            case when i % 2 = 0 then 'anna' else 'customer' end || i % 50000 || '@example.com',
            (array['Ada', 'Grace', 'Anna', 'Alan'])[1 + i % 4],
            (array['Lovelace', 'Hopper', 'Turing'])[1 + i % 3] || i % 1000,
            'DE', 'https://shop.example/paid', 'https://shop.example/failed', now() + interval '7 days', 'acc_bench', now(), now()
     from generate_series($2::integer, $3::integer) i`,
    [companyId, from, to],
  );
}

/** Fills the table up to a number of payments. `from` of them are there. */
export async function fillPayments(
  bench: Bench,
  companyId: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const states = `case when i % 20 < 5 then ${filledStates} else 'paid' end`;
  const chunk = 100_000;
  for (let done = from; done < to; done += chunk)
    await insertPayments(bench, companyId, [done + 1, Math.min(done + chunk, to)], states);
  await bench.admin.query('vacuum analyze payments');
  await bench.admin.query('checkpoint');
}

/** Makes open links, numbered from `first`. Gives their codes. */
export async function makeLinks(
  bench: Bench,
  companyId: string,
  { first, count }: { first: number; count: number },
): Promise<string[]> {
  await insertPayments(bench, companyId, [first, first + count - 1], `'open'`);
  return Array.from(
    { length: count },
    (_, index) => companyId.slice(3) + String(first + index).padStart(22, '0'),
  );
}

/** What a run wrote, by which its acknowledgements are checked. */
export type Written = { links: number; paid: number; sessions: number };

/** How many links of a run there are, and how many payments and sessions in all. */
export async function countWritten(bench: Bench, run: string): Promise<Written> {
  return await one<Written>(
    bench,
    `select (select count(*)::integer from payments where search_order >= $1 and search_order < $1 || '~') as links,
            (select count(*)::integer from attempts where state = 'succeeded') as paid,
            (select count(*)::integer from sessions) as sessions`,
    [run],
  );
}

/** Rows of all tables but the large one, and the place in the log. */
export async function readCounters(bench: Bench): Promise<{ rows: number; walBytes: number }> {
  const { rows: tables } = await bench.admin.query<{ name: string }>(
    `select format('%I.%I', relnamespace::regnamespace, relname) as name from pg_class
     where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'pgboss')
       and relname not in ('payments', 'rate_limits') and relname not like 'yardstick%'`,
  );
  // safe: names come from the catalogue, quoted by format().
  const counts = tables.map(({ name }) => `(select count(*) from ${name})`).join(' + ');
  const counted = await one<{ rows: string; wal: string }>(
    bench,
    `select (${counts})::text as rows, (pg_current_wal_insert_lsn() - '0/0')::text as wal`,
  );
  return { rows: Number(counted.rows), walBytes: Number(counted.wal) };
}
