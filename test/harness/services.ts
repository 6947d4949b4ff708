// Programs that `npm test` provides: PostgreSQL, the browser, Python.

import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * The superuser's address of the cluster that `npm test` started, as a postgres:// URL.
 * @throws {Error} when the test was not started by `npm test`.
 */
export function testDatabaseUrl(): string {
  return provided('TEST_DATABASE_URL', 'a PostgreSQL to throw away');
}

/**
 * The folder with PostgreSQL's programs, for a test that needs a server of its own to kill.
 * @throws {Error} when the test was not started by `npm test`.
 */
export function postgresBin(): string {
  return provided('TEST_POSTGRES_BIN', "PostgreSQL's programs");
}

/**
 * The path of PgBouncer, for the long tests that run behind one.
 * @throws {Error} when the test was not started by `npm run test:long`.
 */
export function pgbouncerPath(): string {
  return provided('TEST_PGBOUNCER', 'a PgBouncer');
}

/**
 * The path of the browser that `npm test` found.
 * @throws {Error} when the test was not started by `npm test`.
 */
export function chromiumPath(): string {
  return provided('CHROMIUM_PATH', 'a browser');
}

/**
 * The path of a browser without a user interface and without a bfcache, where there is one.
 * @throws {Error} when the test was not started by `npm test`.
 */
export function lightChromiumPath(): string {
  return provided('TEST_LIGHT_CHROMIUM', 'a browser');
}

/**
 * The path of a Python with PyJWT and cryptography.
 * @throws {Error} when the test was not started by `npm test`.
 */
export function pythonPath(): string {
  return provided('TEST_PYTHON', 'a Python that verifies JWTs');
}

/**
 * The path of a proxy, for the long tests.
 * @throws {Error} when the test was not started by `npm test`.
 */
export function proxyPath(name: 'haproxy' | 'nginx'): string {
  return provided(`TEST_${name.toUpperCase()}`, name);
}

function provided(name: string, what: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(
    `This test needs ${what}: run it by \`npm test <file>\`, which provides it (${name} is not set).`,
  );
}

export type TestDatabase = {
  url: string;
  /** Renames it. Throws if the name exists. */
  rename(to: string): Promise<void>;
  /** Drops it, even with open connections. */
  drop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The collations to test. */
const localeClauses = {
  C: `encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`,
  'C.UTF-8': `encoding 'UTF8' lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'`,
  'tr-TR by ICU': `encoding 'UTF8' lc_collate 'C' lc_ctype 'C' locale_provider icu icu_locale 'tr-TR'`,
} as const;

export type DatabaseLocale = keyof typeof localeClauses;

/**
 * Creates a fresh database on the cluster, or on the one whose superuser's address is `clusterUrl`; of
 * `template`, when given, it is a copy, and nobody may be connected to that one.
 */
export async function createDatabase(
  options: { template?: string; clusterUrl?: string; locale?: DatabaseLocale } = {},
): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const { template = 'template0', clusterUrl = testDatabaseUrl(), locale } = options;
  const run = async (text: string) => {
    await asSuperuser(clusterUrl, async (client) => await client.query(text));
  };
  // safe: an identifier cannot be a parameter; one name is ours, the other is quoted.
  await run(
    `create database ${name} template ${pg.escapeIdentifier(template)} ${locale ? localeClauses[locale] : ''}`,
  );
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  // safe: the name is ours.
  const drop = async () => await run(`drop database if exists ${name} with (force)`);
  return {
    url: url.href,
    // safe: one name is ours, the other is quoted.
    rename: async (to) => await run(`alter database ${name} rename to ${pg.escapeIdentifier(to)}`),
    drop,
    [Symbol.asyncDispose]: drop,
  };
}

export async function hasDatabase(name: string, clusterUrl: string): Promise<boolean> {
  return await asSuperuser(clusterUrl, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    return rowCount === 1;
  });
}

async function asSuperuser<T>(clusterUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: clusterUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
