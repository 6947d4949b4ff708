// Describes in one sentence why the service cannot start, if the operator can correct it: a setting, a port,
// a folder, a database. Must not: show the database address with its password, or hide the stack of a bug.

import { OperatorError } from './base/operator-error.ts';
import { formatHost, parseDatabaseAddress } from './db/database-address.ts';
import { readOnlySqlState } from './db/ping.ts';

/** The settings that a sentence may contain. */
export type StartupSettings = {
  port: number;
  host: string;
  databaseUrl: string | null;
  /** Of several cells, an error has the name. */
  cells?: readonly unknown[] | null;
};

type SystemError = Error & { code: string; syscall: string };

const notPermitted = '42501';

function isSystemError(error: Error): error is SystemError {
  return 'syscall' in error && typeof error.syscall === 'string' && 'code' in error;
}

function describeListening({ code, syscall }: SystemError, { port, host }: StartupSettings): string | null {
  const isUnrelated = `HOST names ${host}, which is not an address of this machine: set it to 127.0.0.1, or to 0.0.0.0 for all interfaces.`;
  if (syscall === 'getaddrinfo') return isUnrelated;
  if (syscall !== 'listen') return null;
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use by another program: stop that program, or set PORT to a free port.`;
  if (code === 'EADDRNOTAVAIL') return isUnrelated;
  if (code === 'EACCES')
    return `Port ${port} is reserved for administrators: set PORT to a number above 1023.`;
  return null;
}

/** Identifies the database without the password in its address. Of several, the error names the cell. */
function nameDatabase({ databaseUrl, cells }: StartupSettings): string {
  if (!databaseUrl || cells) return '';
  const { hosts, database } = parseDatabaseAddress(databaseUrl);
  const where = hosts.map(formatHost).join(', or ');
  return `\nDATABASE_URL names ${database ? `the database ${database}` : 'a database'} at ${where}.`;
}

/** The sentence for an error at start, or null for a bug. `settings` is null when they could not be read. */
export function describeStartupError(error: unknown, settings: StartupSettings | null): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof OperatorError)
    return settings && error.name === 'OperatorError'
      ? error.message + nameDatabase(settings)
      : error.message;
  if (settings && 'severity' in error && 'code' in error && error.code === notPermitted)
    return (
      `The database user lacks the rights to prepare the database: ${error.message}. ` +
      `Ask an administrator to make this user the owner of the database.${nameDatabase(settings)}`
    );
  if (settings && 'code' in error && error.code === readOnlySqlState)
    return (
      'The database is read-only, or a standby. Set DATABASE_URL to the ' +
      `primary; with several hosts, add target_session_attrs=read-write.${nameDatabase(settings)}`
    );
  if (!isSystemError(error)) return null;
  return (settings && describeListening(error, settings)) ?? `Paylink could not start: ${error.message}.`;
}
