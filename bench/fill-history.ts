// Fills the tables that grow for years: for each payment, copies of all rows of one that the service itself created and
// was paid for, with other IDs, order, customer and company. Must not: leave an index out or a setting changed at its end.

import type pg from 'pg';
import type { BenchDatabase } from './database.ts';
import { dropIndexes, withFastSettings } from './fill.ts';

/** The tables from which nothing is ever deleted, with those of the sandbox, which only test mode has. */
export const growingTables = [
  'payments',
  'attempts',
  'events',
  'event_seals',
  'ledger_entries',
  'payment_words',
  'sandbox_charges',
] as const;

/** Numbers in the order of the template, which its copies replace. They appear in no other text. */
const [orderNumber, customerNumber] = ['77777701', '7777702'] as const;
export const templateOrder = {
  customerOrderId: `shop-${orderNumber}`,
  email: `anna${customerNumber}@example.com`,
  lastName: `Lovelace ${customerNumber}`,
};

const customers = 250_000;
const chunkRows = 20_000;

type Column = { name: string; type: string };
type TemplateRow = { table: string; columns: readonly Column[]; values: Readonly<Record<string, unknown>> };

/** What the copies are made of. */
export type Template = { companyId: string; code: string; rows: readonly TemplateRow[] };

async function readColumns(admin: pg.Client, table: string): Promise<Column[]> {
  const { rows } = await admin.query<Column>(
    `select quote_ident(attname) as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows;
}

/** Reads the rows of the only payment of a company. */
export async function readTemplate({ admin }: BenchDatabase, companyId: string): Promise<Template> {
  const rows: TemplateRow[] = [];
  let events: unknown[] = [];
  for (const table of growingTables) {
    const found = await admin.query<{ values: Record<string, unknown> }>(
      // safe: the name is a literal of this file.
      `select to_jsonb(t) as values from ${table} t where company_id = $1`,
      [companyId],
    );
    // What happened to the company itself, such as its creation, is no part of a payment.
    const ofPayment = found.rows
      .map(({ values }) => values)
      .filter(({ payment_id, event_id }) =>
        table === 'event_seals' ? events.includes(event_id) : payment_id !== null,
      );
    if (table === 'events') events = ofPayment.map(({ event_id }) => event_id);
    if (ofPayment.length === 0) throw new Error(`the template has no rows in ${table}`);
    const columns = await readColumns(admin, table);
    rows.push(...ofPayment.map((values) => ({ table, columns, values })));
  }
  const code = String(rows.find(({ table }) => table === 'payments')?.values.code);
  return { companyId, code, rows };
}

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** IDs of the template's own rows, other than its company, account and key, in their order. */
function listIds({ rows }: Template): string[] {
  const ids = rows.flatMap(
    ({ values }) => JSON.stringify(values).match(/\b[a-z]+_[0-9a-z]{24,26}\b/gi) ?? [],
  );
  return [...new Set(ids)].filter((id) => !id.startsWith('acc_') && !id.startsWith('key_')).sort();
}

/** For each text that is replaced, the SQL of its replacement. IDs count up in digits; their time is long ago. */
function replacementsOf(template: Template): Map<string, string> {
  const { companyId, code } = template;
  const tag = companyId.slice(companyId.indexOf('_') + 1);
  if (!code.startsWith(tag)) throw new Error('a link code does not begin with the tag of its company');
  const letters = code.length - tag.length;
  const random = `substr(md5(h.i::text) || md5('code' || h.i), 1, ${letters})`;
  const ids = listIds(template).map((id, place): [string, string] => {
    const prefix = id.slice(0, id.indexOf('_') + 1);
    const suffix = String(place).padStart(id.length - prefix.length - 10, '0');
    return [id, `${quote(prefix)} || lpad(h.i::text, 10, '0') || ${quote(suffix)}`];
  });
  return new Map([
    ...ids,
    [code, `substr(h.company_id, ${companyId.length - tag.length + 1}) || ${random}`],
    [companyId, 'h.company_id'],
    [orderNumber, `lpad(h.i::text, ${orderNumber.length}, '0')`],
    [customerNumber, 'h.customer'],
  ]);
}

/** A value of the template as SQL, with its replacements. */
function expressionOf(value: unknown, replacements: ReadonlyMap<string, string>): string {
  if (value === null) return 'null';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const parts = text.split(new RegExp(`(${[...replacements.keys()].join('|')})`)).filter(Boolean);
  if (parts.length === 0) return quote('');
  return parts.map((part) => replacements.get(part) ?? quote(part)).join(' || ');
}

/** One statement for each row of the template, which copies it for the payments $1 < i <= $2. */
function statementsOf(template: Template): string[] {
  const replacements = replacementsOf(template);
  const seals = template.rows.filter(({ table }) => table === 'event_seals');
  const first = Math.min(...seals.map(({ values }) => Number(values.position)));
  return template.rows.map(({ table, columns, values }) => {
    const expressions = columns.map(({ name, type }) => {
      if (type === 'xid8') return 'pg_current_xact_id()';
      if (name === '"position"')
        return `h.base + (h.n - 1) * ${seals.length} + ${Number(values.position) - first + 1}`;
      return `(${expressionOf(values[name.replaceAll('"', '')], replacements)})::${type}`;
    });
    // safe: the names come from the catalogue, quoted by it, and values are quoted above.
    return `insert into ${table} (${columns.map(({ name }) => name).join(', ')})
            select ${expressions.join(', ')} from bench_history h where h.i > $1 and h.i <= $2 order by h.i`;
  });
}

/** Which company and customer each payment belongs to. Company k has 1/k of the payments of the first (Zipf's law). */
async function spread(admin: pg.Client, companyIds: readonly string[], from: number, to: number) {
  const weights = companyIds.map((_, place) => 1 / (place + 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let passed = 0;
  const bounds = weights.map((weight) => {
    const bound = passed / sum;
    passed += weight;
    return bound;
  });
  await admin.query('drop table if exists bench_history');
  await admin.query(
    `create unlogged table bench_history as
     select i, company_id, row_number() over (partition by company_id order by i) as n,
            coalesce((select max(position) from event_seals s where s.company_id = drawn.company_id), 0) as base,
            lpad((abs(hashint8extended(i, 7) % ${customers}))::text, ${customerNumber.length}, '0') as customer
     from (select i, ($1::text[])[width_bucket((hashint8(i)::bigint + 2147483648) / 4294967296.0::float8, $2::float8[])]
                  as company_id
           from generate_series($3::bigint + 1, $4::bigint) i) drawn`,
    [companyIds, bounds, from, to],
  );
  await admin.query('create index on bench_history (i)');
  await admin.query('analyze bench_history');
}

/** The balances of all entries. */
async function writeTotals(admin: pg.Client): Promise<void> {
  await admin.query('delete from ledger_totals');
  await admin.query(
    `insert into ledger_totals (company_id, debit_account, credit_account, currency, shard, amount_minor, mode)
     select company_id, debit_account, credit_account, currency, 0, sum(amount_minor), mode
     from ledger_entries group by 1, 2, 3, 4, 7`,
  );
}

/** Which payments are added, and between which companies. */
export type HistoryRange = { companyIds: readonly string[]; from: number; to: number };

/** Adds payments with the indexes that the tables have; `rows` of them at a time. Triggers do not run. */
export async function addHistory(
  { admin }: BenchDatabase,
  template: Template,
  { companyIds, from, to, rows = chunkRows }: HistoryRange & { rows?: number },
): Promise<void> {
  await spread(admin, companyIds, from, to);
  const statements = statementsOf(template);
  for (let done = from; done < to; done += rows) {
    for (const text of statements) await admin.query(text, [done, Math.min(done + rows, to)]);
  }
}

/** Fills the tables. No service may run meanwhile: its tables lack their indexes. */
export async function fillHistory(
  bench: BenchDatabase,
  template: Template,
  range: HistoryRange,
): Promise<void> {
  const { admin } = bench;
  await withFastSettings(admin, async () => {
    const definitions = await dropIndexes(admin, growingTables);
    await addHistory(bench, template, range);
    // safe: the definitions come from the catalogue.
    for (const definition of definitions) await admin.query(definition);
    await settleHistory(bench);
  });
  await admin.query('checkpoint');
}

/** Tells the jobs of the service that nothing is left to do for the filled rows. */
export async function settleHistory({ admin }: BenchDatabase): Promise<void> {
  await writeTotals(admin);
  await admin.query('update seal_progress set sealed_below = pg_current_xact_id()');
  await admin.query('update payment_word_progress set filled_below = pg_current_xact_id()');
  await admin.query(
    `insert into payment_word_positions (company_id, xact, is_filled)
     select company_id, pg_current_xact_id(), true from companies
     on conflict (company_id) do update set xact = excluded.xact, is_filled = true`,
  );
  await admin.query(`vacuum analyze ${growingTables.join(', ')}`);
}
