// The address of a cell as libpq reads it: by this, the server of one cell connects to that of another. Must not: be logged,
// because it contains the password.

import { parseDatabaseAddress } from '../db/database-address.ts';

/**
 * Parameters of an address that libpq knows as well. Files that they name (`sslrootcert`, `sslcert`, `sslkey`) are read by the
 * server that connects, under the same paths.
 */
const passedOn = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'channel_binding',
  'gssencmode',
  'krbsrvname',
];

const quote = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/**
 * A connection string in the form of keywords and values. `user` is who the address connects as, which libpq would otherwise
 * take from the account of the server. Throws InvalidDatabaseAddressError.
 */
export function toConnectionString(address: string, { user }: { user: string }): string {
  const { hosts, target, database } = parseDatabaseAddress(address);
  const url = new URL(hosts[0].url);
  const password = url.searchParams.get('password') ?? decodeURIComponent(url.password);
  const parts: [name: string, value: string | null][] = [
    ['host', hosts.map(({ host }) => host).join(',')],
    ['port', hosts.map(({ port }) => port).join(',')],
    ['dbname', database || user],
    ['user', user],
    ['password', password === '' ? null : password],
    ['target_session_attrs', target === 'any' ? null : target],
    ...passedOn.map((name): [string, string | null] => [name, url.searchParams.get(name)]),
    // A host that does not respond must not hold up a move for long.
    ['connect_timeout', '10'],
    ['application_name', 'paylink move'],
  ];
  return parts.flatMap(([name, value]) => (value === null ? [] : `${name}=${quote(value)}`)).join(' ');
}
