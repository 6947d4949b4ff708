// Facts about a database for operators, before Paylink uses it. Must not: change anything, or need Paylink's
// tables.

import type { Sql } from './engine.ts';
import { statement, t } from './statements.ts';

export type DatabaseInfo = {
  version: string;
  now: Date;
  /** Which of the service's roles exist, and whether this user may take each. */
  roles: { name: string; mayBeTaken: boolean }[];
};

/** Every transaction of the service takes one of these roles. */
export const requiredRoles: readonly string[] = ['paylink_tenant', 'paylink_system'];

const serverSql = statement({ version: t.text, now: t.timestamptz })`
  select current_setting('server_version') as version, clock_timestamp() as now`;

const rolesSql = statement({ name: t.text, mayBeTaken: t.bool })`
  select rolname::text as name, pg_has_role(current_user, oid, 'member') as "mayBeTaken"
  from pg_roles where rolname = any($1) order by rolname`;

export async function inspectDatabase(sql: Sql): Promise<DatabaseInfo> {
  const [server] = await sql.query(serverSql);
  if (!server) throw new Error('the database returned no version');
  const roles = await sql.query(rolesSql, [[...requiredRoles]]);
  return { ...server, roles };
}

const unprotectedTablesSql = statement({ name: t.text })`
  select c.relname::text as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped)
    and not (c.relrowsecurity and c.relforcerowsecurity
             and exists (select from pg_policy p where p.polrelid = c.oid))
  order by c.relname`;

/** The tables of companies that row-level security does not protect, as after a restore of a part. Empty otherwise. */
export async function listUnprotectedTables(sql: Sql): Promise<string[]> {
  const rows = await sql.query(unprotectedTablesSql);
  return rows.map(({ name }) => name);
}

const bypassSql = statement({ mayBypass: t.bool })`
  select rolsuper or rolbypassrls as "mayBypass" from pg_roles where rolname = current_user`;

/** Whether row-level security does not bind this user, as a restore needs. */
export async function mayBypassRowSecurity(sql: Sql): Promise<boolean> {
  const [user] = await sql.query(bypassSql);
  return user?.mayBypass ?? false;
}

const missingRolesSql = statement({ name: t.text })`
  select distinct quote_ident(name) as name from unnest($1::text[]) as name
  where name not in (select rolname from pg_roles) order by name`;

/** Those of the names that are no role of the server, once each and quoted for SQL. */
export async function listMissingRoles(sql: Sql, names: readonly string[]): Promise<string[]> {
  const rows = await sql.query(missingRolesSql, [[...names]]);
  return rows.map(({ name }) => name);
}

const hasTableSql = statement({ found: t.bool })`select to_regclass($1) is not null as found`;

/** Whether the schema `public` has a table. */
export async function hasTable(sql: Sql, name: string): Promise<boolean> {
  return (await sql.query(hasTableSql, [`public.${name}`]))[0]?.found ?? false;
}
