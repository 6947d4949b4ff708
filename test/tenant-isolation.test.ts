// Tenant isolation: the database prevents reads and writes of another company's rows, by any query on any table.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { replaceLogoFile } from '../src/companies/logo-store.ts';
import { countProcessorWebhook, insertProcessorWebhook } from '../src/connections/store.ts';
import type { TenantTx } from '../src/db/database.ts';
import { refundPayment } from '../src/refunds/refund-payment.ts';
import { inviteMember } from '../src/team/invite-member.ts';
import { lockClock } from '../src/test-mode/clock-store.ts';
import { spareBankRefund } from './harness/bank.ts';
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
import { sealAllOf } from './harness/database-fixture.ts';
import { askReset } from './harness/password-resets.ts';
import { engines, type Merchant, type Paylink, startPaylink } from './harness/paylink.ts';
import { fillWordsOf } from './harness/payment-words.ts';
import { addMember } from './harness/people.ts';
import { makePng } from './harness/png.ts';
import { addPasskey, addTotp } from './harness/second-factors.ts';
import { createServiceKey } from './harness/service-keys.ts';
import {
  keysWithoutMode,
  mixedTables,
  readByCompanies,
  systemColumns,
  systemTables,
  withoutMode,
} from './harness/tenant-tables.ts';
import { payWith } from './harness/visitor.ts';
import { createTestEndpoint, loopbackSettings } from './harness/webhook-endpoints.ts';

/** A connection with a processor, and a webhook that it received. */
async function leaveNotice(paylink: Paylink, companyId: string, who: Credentials): Promise<void> {
  const { body } = await call(paylink, who, ['POST', '/v1/processor-connections'], { processor: 'sandbox' });
  const connectionId = String(body.id);
  const at = new Date();
  await paylink.app.deps.db.inTenant({ companyId, mode: 'test' }, async (tx) => {
    await insertProcessorWebhook(tx, { connectionId, noticeId: 'one', at });
    await countProcessorWebhook(tx, { connectionId, verdict: 'accepted', at });
  });
}

/** A logo of a company. */
async function leaveLogo(paylink: Paylink, companyId: string): Promise<void> {
  const content = makePng({ width: 1, height: 1 });
  await paylink.app.deps.db.inCompany(
    companyId,
    async (tx) => await replaceLogoFile(tx, { variant: 'light', contentType: 'image/png', content }),
  );
}

/** Unexplained money, as a case of every attempt of a company. */
async function leaveCases(paylink: Paylink, companyId: string): Promise<void> {
  const text = `insert into processor_cases
      (company_id, attempt_id, code, processor_reference, payment_id, amount_minor, currency, created_at)
    select company_id, attempt_id, 'currency_mismatch', 'ch_1', payment_id, 100, 'JPY', now() from attempts`;
  await paylink.app.deps.db.inTenant({ companyId, mode: 'test' }, async (tx) => await tx.query(text));
}

for (const engine of engines) {
  describe(`tenant isolation on the ${engine} database`, () => {
    let paylink: Paylink;
    let other: Merchant;
    let tables: string[];
    before(async () => {
      paylink = await startPaylink(engine, { settings: loopbackSettings });
      other = await paylink.createMerchant();
      // Nothing listens there, so the attempt fails and is recorded.
      const url = 'http://127.0.0.1:1029/';
      await createTestEndpoint(paylink, await logIn(paylink), { url });
      const { link, code } = await createLink(paylink);
      await payWith(link, { number: '4242424242424242' });
      const { companyId } = paylink.merchant;
      await refundPayment(paylink.app.deps, { mode: 'test', companyId, code, createdBy: 'test' });
      await leaveCases(paylink, companyId);
      await leaveLogo(paylink, companyId);
      await paylink.app.deps.db.inTenant(
        { companyId, mode: 'test' },
        async (tx) => await lockClock(tx, new Date()),
      );
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
      await createServiceKey(paylink, who);
      await spareBankRefund({ paylink, credentials: await logIn(paylink) });
      await paylink.app.work.sweep('webhooks');
      await sealAllOf(paylink.app.deps.db, companyId);
      await fillWordsOf(paylink.app.deps.db, companyId);
      await paylink.app.requestLog.flush();
      const rows = await paylink.app.deps.db.asOwner.query<{ name: string }>(
        `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
      );
      tables = rows.map(({ name }) => name).filter((name) => !systemTables.includes(name));
    });
    after(async () => await paylink.stop());

    const asTenant = async (companyId: string, text: string, values: unknown[] = []) =>
      await paylink.app.deps.db.inTenant(
        { companyId, mode: 'test' },
        async (tx) => await tx.query<Record<string, unknown>>(text, values),
      );

    test('every company table has rows of the test, and none is visible to another company', async () => {
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

    test('every company table has company_id first in its primary key, and forces row-level security', async () => {
      const rows = await paylink.app.deps.db.asOwner.query<{ name: string; first: string; forced: boolean }>(
        `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
                (select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
                 where i.indrelid = c.oid and i.indisprimary) as first
         from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
      );
      for (const { name, first, forced } of rows.filter((row) => !systemTables.includes(row.name))) {
        assert.equal(forced, true, name);
        // The directory of logins is read by email address before the tenant is known.
        assert.equal(first, name === 'logins' ? 'email' : 'company_id', name);
      }
    });

    test('a company cannot change, delete or forge rows of another', async () => {
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

    const modeTables = () => tables.filter((name) => !Object.hasOwn(withoutMode, name));
    const owner = async (text: string, values: unknown[] = []) =>
      await paylink.app.deps.db.asOwner.query<Record<string, unknown>>(text, values);

    test('every company table has a mode column, unless it is listed with a reason', async () => {
      const rows = await owner(
        `select c.table_name::text as name, c.is_nullable = 'NO' as strict, c.column_default as preset
         from information_schema.columns c where c.table_schema = 'public' and c.column_name = 'mode'`,
      );
      const byName = new Map(rows.map((row) => [row.name, row]));
      for (const table of modeTables()) {
        const column = byName.get(table);
        assert.ok(column, `${table} has no mode`);
        assert.equal(column.strict, !mixedTables.includes(table), `${table}: not null`);
        assert.equal(column.preset, 'current_mode()', table);
      }
      for (const table of Object.keys(withoutMode)) assert.ok(tables.includes(table), table);
    });

    test('every unique key, foreign key and policy of a table with a mode includes the mode', async () => {
      const keys = await owner(
        `select i.indexrelid::regclass::text as name, i.indrelid::regclass::text as table_name,
                (select array_agg(a.attname::text order by k.place)
                 from unnest(i.indkey) with ordinality k (attnum, place)
                 join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum) as columns
         from pg_index i where i.indisunique and i.indrelid::regclass::text = any($1)`,
        [modeTables()],
      );
      assert.ok(keys.length >= modeTables().length);
      for (const { name, columns } of keys.filter((key) => !keysWithoutMode.includes(String(key.name))))
        assert.deepEqual(
          [(columns as string[])[0], (columns as string[]).includes('mode')],
          ['company_id', true],
          String(name),
        );
      const references = await owner(
        `select conname::text as name, pg_get_constraintdef(oid) as definition from pg_constraint
         where contype = 'f' and conrelid::regclass::text = any($1) and confrelid::regclass::text = any($1)`,
        [modeTables()],
      );
      // The foreign key to events lacks the mode; a trigger copies the mode from the event.
      for (const { name, definition } of references.filter(
        (each) => !/REFERENCES events/.test(String(each.definition)),
      ))
        assert.equal(
          String(definition).match(/\(company_id, [^)]*\bmode\b[^)]*\)/g)?.length,
          2,
          String(name),
        );
      const policies = await owner(
        `select tablename::text as name, qual, with_check from pg_policies
         where schemaname = 'public' and 'paylink_tenant' = any(roles) and tablename::text = any($1)`,
        [modeTables()],
      );
      assert.equal(policies.length, modeTables().length);
      for (const { name, qual, with_check } of policies)
        for (const condition of [qual, with_check])
          assert.match(String(condition), /mode = ANY \(current_modes\(\)\)/, String(name));
    });

    test('rows are visible in their own mode only, and in a transaction over both modes', async () => {
      const { companyId } = paylink.merchant;
      const { db } = paylink.app.deps;
      for (const table of modeTables()) {
        // safe: names come from the catalogue.
        const text = `select mode from ${table} where mode is not null`;
        const look = async (tx: TenantTx) => await tx.query(text);
        assert.ok((await asTenant(companyId, text)).length > 0, `${table} has no row to hide`);
        assert.deepEqual(await db.inTenant({ companyId, mode: 'live' }, look), [], table);
        assert.deepEqual(await db.inCompany(companyId, look), [], table);
        assert.ok((await db.inBothModes(companyId, look)).length > 0, table);
      }
    });

    test('a transaction of the other mode, or of none, cannot change, delete or forge a row', async () => {
      const { companyId } = paylink.merchant;
      const { db } = paylink.app.deps;
      const scopes = {
        live: async (text: string, values?: unknown[]) =>
          await db.inTenant({ companyId, mode: 'live' }, async (tx) => await tx.query(text, values)),
        none: async (text: string, values?: unknown[]) =>
          await db.inCompany(companyId, async (tx) => await tx.query(text, values)),
      };
      const refusal = /permission denied|row-level security/;
      for (const table of modeTables())
        for (const [name, run] of Object.entries(scopes)) {
          // A missing privilege refuses the statement, whichever rows it matches.
          const touch = async (text: string) =>
            await run(text).catch((error: unknown) => {
              assert.match(String(error), refusal, `${name}: ${text}`);
              return [];
            });
          // safe: names come from the catalogue.
          const of = `${table} where mode = 'test'`;
          assert.deepEqual(
            await touch(`update ${table} set company_id = company_id where mode = 'test' returning mode`),
            [],
          );
          assert.deepEqual(await touch(`delete from ${of} returning mode`), []);
          const [row] = await owner(
            `select to_jsonb(t) as row from ${table} t where mode = 'test' and company_id = $1`,
            [companyId],
          );
          const columns = await owner(
            `select string_agg(column_name::text, ', ') as list from information_schema.columns
             where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
            [table],
          );
          const list = String(columns[0]?.list);
          await assert.rejects(
            run(
              `insert into ${table} (${list}) select ${list} from jsonb_populate_record(null::${table}, $1)`,
              [JSON.stringify(row?.row)],
            ),
            refusal,
            `${name}: insert into ${table}`,
          );
        }
    });

    test('a transaction over both modes cannot insert a row without a mode', async () => {
      const { companyId } = paylink.merchant;
      await assert.rejects(
        paylink.app.deps.db.inBothModes(
          companyId,
          async (tx) =>
            await tx.query(
              `insert into idempotency_keys (company_id, account_id, key, fingerprint, seed, subject_at, leased_until)
               values ($1, $2, 'both', sha256('f'), sha256('s'), now(), now())`,
              [companyId, paylink.merchant.accountId],
            ),
        ),
        /null value in column "mode"|row-level security/,
      );
    });

    test('a query without its company finds nothing, and companies cannot read system tables', async () => {
      const unset = await paylink.app.deps.db.inTenant(
        { companyId: other.companyId, mode: 'test' },
        async (tx) => {
          await tx.query(`select set_config('paylink.company_id', '', true)`);
          return await tx.query('select code from payments');
        },
      );
      assert.deepEqual(unset, []);
      // safe: names are literals of this file.
      for (const table of systemTables.filter((name) => !readByCompanies.includes(name)))
        await assert.rejects(asTenant(other.companyId, `select 1 as one from ${table}`), /permission denied/);
    });

    test('the system role can read the directory of logins, and of other tables only the listed columns', async () => {
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

    test('the system role cannot read sealed events, and a company cannot choose a position in their order', async () => {
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
