// Moves a company's rows from test mode to live mode, because live payments need real credentials.

import { deriveApiKey } from '../../src/api-keys/api-keys.ts';
import { newApiKeyId } from '../../src/base/ids.ts';
import type { Database } from '../../src/db/database.ts';
import { type Credentials, type Json, logIn } from './client.ts';
import type { Merchant, Paylink } from './paylink.ts';

/** Tables with a mode column whose rows concern the company in both modes, or which live mode has no rows of. */
const ofCompany = ['api_keys', 'service_keys', 'test_clocks'];

export async function listModeTables(db: Database): Promise<string[]> {
  const rows = await db.asOwner.query<{ name: string }>(
    `select c.table_name::text as name from information_schema.columns c
     where c.table_schema = 'public' and c.column_name = 'mode' order by 1`,
  );
  return rows.map(({ name }) => name).filter((name) => !ofCompany.includes(name));
}

export async function moveToLive(paylink: Pick<Paylink, 'app'>, companyId: string): Promise<void> {
  const tables = await listModeTables(paylink.app.deps.db);
  await paylink.app.deps.db.withConnection(async (sql) => {
    await sql.query('begin');
    // Without this, a foreign key would refuse the first table. All tables are updated before the commit.
    await sql.query(`set local session_replication_role = 'replica'`);
    if (tables.includes('ledger_totals'))
      await sql.query(`delete from ledger_totals where company_id = $1`, [companyId]);
    // Routes are called with the same order ID; two live links for it would violate a constraint.
    await sql.query(
      `update payments set customer_order_id = payment_id where company_id = $1 and mode = 'test'`,
      [companyId],
    );
    // safe: names come from the catalogue.
    for (const table of tables)
      await sql.query(`update ${table} set mode = 'live' where company_id = $1 and mode = 'test'`, [
        companyId,
      ]);
    await sql.query('commit');
  });
}

/** The owner's credentials with a live key, which the API creates only over https. */
export async function logInLive(paylink: Paylink, merchant: Merchant): Promise<Credentials> {
  const { db, keyring } = paylink.app.deps;
  const keyId = newApiKeyId(merchant.companyId);
  await db.asOwner.query(
    `insert into api_keys (company_id, key_id, name, mode, created_at, created_by) values ($1, $2, 'Live', 'live', now(), 'test')`,
    [merchant.companyId, keyId],
  );
  return { ...(await logIn(paylink, merchant)), apiKey: deriveApiKey(keyring, 'live', keyId) };
}

/** A company's rows in a mode as text, without those that background work changes. */
export async function readState(
  { app }: Pick<Paylink, 'app'>,
  companyId: string,
  mode: string,
): Promise<string> {
  const read = async (text: string) => await app.deps.db.asOwner.query<Json>(text, [companyId, mode]);
  const all = [
    await read(`select payment_id, state, version, metadata, expires_at, refunded_minor, refunding_minor
                from payments where company_id = $1 and mode = $2 order by 1`),
    await read(`select r.refund_id from refunds r join payments p using (company_id, payment_id)
                where r.company_id = $1 and p.mode = $2 order by 1`),
    await read(`select endpoint_id, url, events, is_enabled, secret_id, deleted_at
                from webhook_endpoints where company_id = $1 and mode = $2 order by 1`),
    await read(`select d.delivery_id from webhook_deliveries d join webhook_endpoints w using (company_id, endpoint_id)
                where d.company_id = $1 and w.mode = $2 order by 1`),
    await read(`select connection_id, name, is_enabled, deleted_at, position
                from connections where company_id = $1 and mode = $2 order by 1`),
    await read(`select line_id, state, note from bank_lines where company_id = $1 and mode = $2 order by 1`),
    await read(`select r.refund_id, r.state from bank_refunds r join bank_transfers t using (company_id, attempt_id)
                where r.company_id = $1 and t.mode = $2 order by 1`),
    await read(`select e.event_id from events e join payments p using (company_id, payment_id)
                where e.company_id = $1 and p.mode = $2 and e.actor like 'account:%' order by 1`),
  ];
  return JSON.stringify(all, null, 1);
}

/** All IDs of a company's rows in a mode, to detect them in responses. */
export async function listIds(
  { app }: Pick<Paylink, 'app'>,
  companyId: string,
  mode: string,
): Promise<string[]> {
  const rows = await app.deps.db.asOwner.query<{ id: string }>(
    `select code as id from payments where company_id = $1 and mode = $2
     union all select endpoint_id from webhook_endpoints where company_id = $1 and mode = $2
     union all select d.delivery_id from webhook_deliveries d join webhook_endpoints w using (company_id, endpoint_id)
       where d.company_id = $1 and w.mode = $2
     union all select connection_id from connections where company_id = $1 and mode = $2
     union all select statement_id from bank_statements where company_id = $1 and mode = $2
     union all select line_id from bank_lines where company_id = $1 and mode = $2
     union all select a.attempt_id from attempts a join payments p using (company_id, payment_id)
       where a.company_id = $1 and p.mode = $2
     union all select r.refund_id from refunds r join payments p using (company_id, payment_id)
       where r.company_id = $1 and p.mode = $2
     union all select e.event_id from events e join payments p using (company_id, payment_id)
       where e.company_id = $1 and p.mode = $2
     union all select entry_id from ledger_entries where company_id = $1 and mode = $2`,
    [companyId, mode],
  );
  return rows.map(({ id }) => id);
}
