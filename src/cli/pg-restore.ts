// Runs pg_restore. Must not: put a password into its arguments, which every user of the machine can read, or into a message.

import { spawn } from 'node:child_process';
import { InvalidDatabaseAddressError, parseDatabaseAddress } from '../db/database-address.ts';
import { CommandError, type Environment, exitCodes, usageError } from './command-error.ts';

export type RestoreTarget = {
  /** For openDatabase. It contains the password. */
  databaseUrl: string;
  /** For pg_restore, without the password. */
  address: string;
  /** Undefined if the address has none: then both use PGPASSWORD. */
  password: string | undefined;
};

/** The only host of the address in `--server`, in the form of a URL. Throws a usage error for other texts. */
export function readServerAddress(server: string): string {
  try {
    const { hosts } = parseDatabaseAddress(server);
    if (hosts.length > 1)
      throw usageError(
        '--server must name one host: a rehearsal creates its database on one server, the primary.',
      );
    return hosts[0].url;
  } catch (error) {
    if (!(error instanceof InvalidDatabaseAddressError)) throw error;
    throw usageError(`--server ${error.message}.`);
  }
}

/** A database on the server at `serverUrl`, as readServerAddress returns it. */
export function targetOn(serverUrl: string, database: string): RestoreTarget {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  // It would replace the database of the path.
  url.searchParams.delete('dbname');
  const databaseUrl = url.href;
  const password = url.searchParams.get('password') ?? decodeURIComponent(url.password);
  url.password = '';
  url.searchParams.delete('password');
  // libpq reads "+" as a plus sign, not as a space.
  url.search = url.search.replaceAll('+', '%20');
  return { databaseUrl, address: url.href, password: password || undefined };
}

type RunOptions = {
  program: string;
  /** The environment of the command. */
  env: Environment;
  signal: AbortSignal;
  password?: string | undefined;
};

/** Runs pg_restore. Returns its output. Throws a CommandError with its errors. */
export async function runPgRestore(
  args: readonly string[],
  { program, env, signal, password }: RunOptions,
): Promise<string> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    env: { ...env, ...(password !== undefined && { PGPASSWORD: password }) },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4_000);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw usageError(
      'pg_restore was not found: install the client programs of PostgreSQL (Debian: postgresql-client).',
    );
  });
  if (code !== 0)
    throw new CommandError(
      exitCodes.found,
      `The backup cannot be restored: pg_restore failed.\n${errors.trim()}`,
    );
  return output;
}

/** The parts of a schema that name roles besides owners, as pg_restore heads them. */
const partWithRoles = /^[^\n]*; Type: (?:ACL|DEFAULT ACL|POLICY);/;
/** What follows in a policy is an expression, which may contain FROM. */
const expression = / (?:USING|WITH CHECK) \(/;
const identifier = '(?:"(?:[^"]|"")+"|[a-z_][a-z0-9_$]*)';
const namedRoles = new RegExp(
  String.raw`\b(?:TO|FROM|FOR ROLE|SET SESSION AUTHORIZATION) (${identifier}(?:, ${identifier})*)`,
  'g',
);

/** The roles that the output of `pg_restore --schema-only` gives rights or policies to, without quotes. */
export function rolesIn(schema: string): string[] {
  const parts = schema.split(/^-- Name: /m).filter((part) => partWithRoles.test(part));
  const heads = parts.map((part) => part.split(expression)[0] ?? '');
  const lists = heads.flatMap((head) => [...head.matchAll(namedRoles)].map(([, list = '']) => list));
  const names = lists.flatMap((list) => list.match(new RegExp(identifier, 'g')) ?? []);
  return [...new Set(names.map((name) => name.replace(/^"(.*)"$/, '$1').replaceAll('""', '"')))];
}
