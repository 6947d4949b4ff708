// Reads DATABASE_URL as libpq does: one or several hosts, and the wanted kind of server. pg itself supports
// one host. Must not: put a part of the address that may be secret into a message.

/** Which servers are accepted: any, one that takes writes, or one that is not a standby. */
export type TargetSession = 'any' | 'read-write' | 'primary';

export type DatabaseHost = {
  host: string;
  port: string;
  /** The address with this host only, in pg's form. It contains the password. */
  url: string;
};

export type DatabaseAddress = {
  hosts: readonly [DatabaseHost, ...DatabaseHost[]];
  target: TargetSession;
  database: string;
};

/** The message completes a sentence about the address and contains no part of it. */
export class InvalidDatabaseAddressError extends Error {
  override readonly name = 'InvalidDatabaseAddressError';
}

const targets: ReadonlySet<string> = new Set<TargetSession>(['any', 'read-write', 'primary']);
const targetParameter = 'target_session_attrs';
const defaultPort = '5432';

const form =
  /^(?<scheme>postgres(?:ql)?:\/\/)(?<authority>[^/?#]*)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/i;
const hostForm = /^(?<host>\[[0-9a-f:.%]+\]|[^:[\]]*)(?::(?<port>\d*))?$/i;

const malformed = () =>
  new InvalidDatabaseAddressError(
    'must be an address like postgres://user:password@host:5432/paylink, or with several hosts: host1:5432,host2:5432',
  );

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed();
  }
}

function checkPort(port: string): string {
  if (port === '') return defaultPort;
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) throw malformed();
  return port;
}

/** The hosts of the authority, each with its port. */
function readAuthority(text: string): { host: string; port: string }[] {
  return text.split(',').map((entry) => {
    const { host, port = '' } = hostForm.exec(entry)?.groups ?? {};
    if (host === undefined) throw malformed();
    return { host: decode(host.replace(/^\[(.*)\]$/, '$1')), port: checkPort(port) };
  });
}

/** The value of a parameter. The last one counts if there are several. */
const lastOf = (query: URLSearchParams, name: string) => query.getAll(name).at(-1);

/**
 * `host` in the query replaces the hosts of the authority, and `port` its ports, each independently. A single
 * port applies to every host.
 */
function readHosts(authority: string, query: URLSearchParams): { host: string; port: string }[] {
  const inAuthority = readAuthority(authority);
  const hosts = lastOf(query, 'host')?.split(',');
  const ports = lastOf(query, 'port')?.split(',');
  const names = hosts && hosts.join() !== '' ? hosts : inAuthority.map(({ host }) => host);
  const numbers = ports && ports.join() !== '' ? ports.map(checkPort) : inAuthority.map(({ port }) => port);
  if (numbers.length !== 1 && numbers.length !== names.length)
    throw new InvalidDatabaseAddressError('must name one port for all hosts, or one for each');
  return names.map((host, index) => ({ host, port: numbers[index] ?? numbers[0] ?? defaultPort }));
}

function readTarget(query: URLSearchParams): TargetSession {
  const target = lastOf(query, targetParameter) ?? 'any';
  if (!targets.has(target))
    throw new InvalidDatabaseAddressError(
      `must have a ${targetParameter} that Paylink can work with: any, read-write or primary`,
    );
  return target as TargetSession;
}

function urlOf(parts: Record<string, string>, login: string, host: { host: string; port: string }): string {
  const query = new URLSearchParams(parts.query);
  query.delete(targetParameter);
  query.set('host', host.host);
  query.set('port', host.port);
  return `${parts.scheme}${login}localhost${parts.path ?? ''}?${query}`;
}

/** Parses an address. Throws InvalidDatabaseAddressError. */
export function parseDatabaseAddress(text: string): DatabaseAddress {
  const parts = form.exec(text)?.groups as Record<string, string> | undefined;
  if (!parts) throw malformed();
  const { authority = '', path = '' } = parts;
  const at = authority.lastIndexOf('@') + 1;
  const query = new URLSearchParams(parts.query);
  const target = readTarget(query);
  const [first, ...others] = readHosts(authority.slice(at), query);
  if (!first) throw malformed();
  const isOfOne = others.length === 0 && !query.has(targetParameter);
  // Pass an address that pg can read unchanged. A user or port without a host is not a URL, but libpq accepts
  // it.
  const isPlain = isOfOne && URL.canParse(text);
  if (isOfOne && !isPlain && !/^(?::\d*)?$/.test(authority.slice(at))) throw malformed();
  const login = authority.slice(0, at);
  const toHost = ({ host, port }: { host: string; port: string }): DatabaseHost => {
    const named = { host: host || 'localhost', port };
    return { ...named, url: isPlain ? text : urlOf(parts, login, named) };
  };
  return { hosts: [toHost(first), ...others.map(toHost)], target, database: decode(path.slice(1)) };
}

export function formatHost({ host, port }: Pick<DatabaseHost, 'host' | 'port'>): string {
  return `${host}, port ${port}`;
}
