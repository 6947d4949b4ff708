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
