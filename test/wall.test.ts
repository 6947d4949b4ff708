// The tenant wall: what is one company's cannot be seen or touched from another's transaction, by any
// query, on any table; not by care, but by the database.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { countNotice, insertNotice } from '../src/connections/store.ts';
import { inviteMember } from '../src/merchants/invite-member.ts';
import { refundPayment } from '../src/payments/refund-payment.ts';
import { sealAllOf } from './harness/bare.ts';
import {
  type Credentials,
  call,
  createLink,
  credentialHeaders,
  logIn,
  orderOf,
  post,
} from './harness/client.ts';
import { signIn } from './harness/dashboard.ts';
import { createHook, loopbackSettings } from './harness/hooks.ts';
import { askReset } from './harness/password-resets.ts';
import { engines, type Merchant, type Paylink, startPaylink } from './harness/paylink.ts';
import { addMember } from './harness/people.ts';
import { spareBankRefund } from './harness/route-rows.ts';
import { addPasskey, addTotp } from './harness/second-factors.ts';
import { payWith } from './harness/visitor.ts';

/** A connection with a processor, and a webhook that came for it. */
async function leaveNotice(paylink: Paylink, companyId: string, who: Credentials): Promise<void> {
  const { body } = await call(paylink, who, ['POST', '/v1/processor-connections'], { processor: 'sandbox' });
  const connectionId = String(body.id);
  const at = new Date();
  await paylink.app.deps.db.inTenant(companyId, async (tx) => {
    await insertNotice(tx, { connectionId, noticeId: 'one', at });
    await countNotice(tx, { connectionId, verdict: 'accepted', at });
  });
}

/** Tables that belong to no company, and who may read them. Every other table must be walled. */
const systemTables = [
  'login_failures',
  'passkey_challenges',
  'rate_limits',
  'schema_migrations',
  'seal_progress',
];

/** What the system role may read of a company's tables, column by column; of all others nothing. */
const systemColumns: Readonly<Record<string, readonly string[]>> = {
  logins: ['account_id', 'company_id', 'email'],
  companies: ['company_id', 'reminder_hours'],
  payments: ['company_id', 'expires_at', 'payment_id', 'state'],
  events: ['company_id', 'xact'],
  idempotency_keys: ['created_at'],
  webhook_deliveries: ['company_id', 'created_at', 'due_at', 'endpoint_id', 'leased_until', 'state'],
  webhook_endpoints: ['company_id', 'endpoint_id', 'failing_since', 'is_enabled'],
  mails: ['company_id', 'due_at', 'ended_at', 'leased_until', 'mail_id', 'state'],
  processor_notices: ['received_at'],
  browser_sessions: ['seen_at'],
  password_resets: ['created_at'],
};

for (const engine of engines) {
  describe(`the tenant wall on the ${engine} database`, () => {
    let paylink: Paylink;
    let other: Merchant;
    let tables: string[];
    before(async () => {
      paylink = await startPaylink(engine, { settings: loopbackSettings });
      other = await paylink.createMerchant();
      // Nobody listens there: the try fails, and is recorded.
      const url = 'http://127.0.0.1:1029/';
      await createHook(paylink, await logIn(paylink), { url });
      const { link, code } = await createLink(paylink);
      await payWith(link, { number: '4242424242424242' });
      const { companyId } = paylink.merchant;
      await refundPayment(paylink.app.deps, { companyId, code, createdBy: 'test' });
      const owner = {
        ...paylink.merchant,
        sessionId: '',
        keyId: '',
        roles: ['owner'],
        mode: 'test',
      } as const;
      const invited = { invitationId: 'inv_one', email: 'ada@example.com', roles: ['viewer'] } as const;
      await inviteMember(paylink.app.deps, owner, invited);
      const who = await logIn(paylink);
      await leaveNotice(paylink, companyId, who);
      await signIn(paylink, paylink.merchant);
      await askReset(paylink, paylink.merchant.email);
      await addPasskey(paylink, (await addMember(paylink, who, ['viewer'])).credentials);
      await addTotp(paylink, (await addMember(paylink, who, ['viewer'])).credentials);
      const headers = { ...credentialHeaders(who), 'idempotency-key': 'one' };
      await post(`${paylink.baseUrl}/v1/payment/process`, orderOf(), headers);
      await spareBankRefund({ paylink, credentials: await logIn(paylink) });
      await paylink.app.deps.webhooks.sweep();
      await sealAllOf(paylink.app.deps.db, companyId);
      const rows = await paylink.app.deps.db.asOwner.query<{ name: string }>(
        `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
      );
      tables = rows.map(({ name }) => name).filter((name) => !systemTables.includes(name));
    });
    after(async () => await paylink.stop());

    const asTenant = async (companyId: string, text: string, values: unknown[] = []) =>
      await paylink.app.deps.db.inTenant(
        companyId,
        async (tx) => await tx.query<Record<string, unknown>>(text, values),
      );

    test('every table of a company has rows of ours, and none of them shows to another company', async () => {
      assert.ok(tables.length >= 9);
      for (const table of tables) {
        // safe: names come from the catalogue.
        const ours = await asTenant(paylink.merchant.companyId, `select company_id from ${table}`);
        assert.ok(ours.length > 0, `${table} has no row to hide`);
        const theirs = await asTenant(other.companyId, `select company_id from ${table}`);
        assert.deepEqual(
          new Set(theirs.map((row) => row.company_id)).has(paylink.merchant.companyId),
          false,
          table,
        );
      }
    });

    test('every table of a company starts its primary key with company_id and forces row-level security', async () => {
      const rows = await paylink.app.deps.db.asOwner.query<{ name: string; first: string; forced: boolean }>(
        `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
                (select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
                 where i.indrelid = c.oid and i.indisprimary) as first
         from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
      );
      for (const { name, first, forced } of rows.filter((row) => !systemTables.includes(row.name))) {
        assert.equal(forced, true, name);
        // The directory of logins is looked into before there is a tenant, by address.
        assert.equal(first, name === 'logins' ? 'email' : 'company_id', name);
      }
    });

    test('a company can neither change, remove nor forge rows of another', async () => {
      const { companyId } = paylink.merchant;
      const touched = await asTenant(
        other.companyId,
        `update payments set email = 'x@y' where company_id = $1 returning code`,
        [companyId],
      );
      assert.deepEqual(touched, []);
      for (const text of [
        'delete from payments',
        'delete from events',
        `update events set type = 'x'`,
        'truncate payments',
      ])
        await assert.rejects(asTenant(other.companyId, text), /permission denied/);
      await assert.rejects(
        asTenant(
          other.companyId,
          `insert into companies (company_id, name, country, created_at) values ('co_zzzzzzzz', 'x', 'DE', now())`,
        ),
        /row-level security/,
      );
      await assert.rejects(
        asTenant(
          other.companyId,
          `insert into events (company_id, event_id, type, is_public, actor, data, at) values ($1, 'evt_x', 'x', true, 'x', '{}', now())`,
          [companyId],
        ),
        /row-level security/,
      );
    });

    test('a query that forgets its company finds nothing, and system tables are closed to companies', async () => {
      const unset = await paylink.app.deps.db.inTenant(other.companyId, async (tx) => {
        await tx.query(`select set_config('paylink.company_id', '', true)`);
        return await tx.query('select code from payments');
      });
      assert.deepEqual(unset, []);
      // safe: names are literals of this file.
      for (const table of systemTables)
        await assert.rejects(asTenant(other.companyId, `select 1 as one from ${table}`), /permission denied/);
      await assert.rejects(asTenant(other.companyId, 'select 1 as one from pgboss.job'), /permission denied/);
    });

    test('the system role sees the directory of logins, and of other tables only the columns listed here', async () => {
      await paylink.app.deps.db.inSystem(async (tx) => await tx.query('select email from logins limit 1'));
      const rows = await paylink.app.deps.db.asOwner.query<{ name: string; columns: string[] }>(
        `select table_name::text as name, array_agg(column_name::text order by column_name::text) as columns
         from information_schema.columns
         where table_schema = 'public' and table_name = any($1)
           and has_column_privilege('paylink_system', format('public.%I', table_name), column_name, 'select')
         group by 1`,
        [tables],
      );
      const seen = Object.fromEntries(rows.map(({ name, columns }) => [name, columns]));
      assert.deepEqual(seen, systemColumns);
      for (const table of tables.filter((name) => !Object.hasOwn(systemColumns, name)))
        await assert.rejects(
          // safe: names come from the catalogue.
          paylink.app.deps.db.inSystem(async (tx) => await tx.query(`select 1 as one from ${table}`)),
          /permission denied/,
          table,
        );
    });

    test('of events that are sealed the system role sees nothing, and a company can choose no place in their order', async () => {
      const rows = await paylink.app.deps.db.inSystem(
        async (tx) =>
          await tx.query(
            `select company_id from events where xact < (select sealed_below from seal_progress)`,
          ),
      );
      assert.deepEqual(rows, []);
      const { companyId } = paylink.merchant;
      await assert.rejects(
        asTenant(
          companyId,
          `insert into events (company_id, event_id, type, is_public, actor, data, at, xact) values ($1, 'evt_x', 'x', true, 'x', '{}', now(), '1')`,
          [companyId],
        ),
        /permission denied/,
      );
      for (const text of ['delete from event_seals', 'update event_seals set position = 9'])
        await assert.rejects(asTenant(companyId, text), /permission denied/);
    });
  });
}
