// What an operator wants to know of a database before anything of ours works on it. It must never
// change anything, and needs none of our tables.

import type { Sql } from './engine.ts';

export type DatabaseInfo = {
  version: string;
  /** The database's own clock. */
  now: Date;
  /** The roles that the service takes, as far as they are there, and whether this user may take each. */
  roles: { name: string; mayBeTaken: boolean }[];
};

/** The roles that every transaction of the service takes one of. */
export const requiredRoles: readonly string[] = ['paylink_tenant', 'paylink_system'];

/** Reads the facts, by two statements. */
export async function inspectDatabase(sql: Sql): Promise<DatabaseInfo> {
  const [server] = await sql.query<{ version: string; now: Date }>(
    `select current_setting('server_version') as version, clock_timestamp() as now`,
  );
  if (!server) throw new Error('the database gave no row for its own version');
  const roles = await sql.query<{ name: string; mayBeTaken: boolean }>(
    `select rolname as name, pg_has_role(current_user, oid, 'member') as "mayBeTaken"
     from pg_roles where rolname = any($1) order by rolname`,
    [[...requiredRoles]],
  );
  return { ...server, roles };
}
