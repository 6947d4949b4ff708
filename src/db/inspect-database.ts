// Facts about a database for operators, before Paylink uses it. Must not: change anything, or need Paylink's
// tables.

import type { Sql } from './engine.ts';

export type DatabaseInfo = {
  version: string;
  now: Date;
  /** Which of the service's roles exist, and whether this user may take each. */
  roles: { name: string; mayBeTaken: boolean }[];
};

/** Every transaction of the service takes one of these roles. */
export const requiredRoles: readonly string[] = ['paylink_tenant', 'paylink_system'];

export async function inspectDatabase(sql: Sql): Promise<DatabaseInfo> {
  const [server] = await sql.query<{ version: string; now: Date }>(
    `select current_setting('server_version') as version, clock_timestamp() as now`,
  );
  if (!server) throw new Error('the database returned no version');
  const roles = await sql.query<{ name: string; mayBeTaken: boolean }>(
    `select rolname as name, pg_has_role(current_user, oid, 'member') as "mayBeTaken"
     from pg_roles where rolname = any($1) order by rolname`,
    [[...requiredRoles]],
  );
  return { ...server, roles };
}
