import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { InvalidDatabaseAddressError, parseDatabaseAddress } from './database-address.ts';

/** pg's reading of the address of each host. */
function seenByPg(text: string) {
  return parseDatabaseAddress(text).hosts.map(({ url }) => {
    const { host, port, user, password, database } = new pg.Client({ connectionString: url });
    return { host, port, user, password, database };
  });
}

const login = { user: 'ada', password: 'p@ss,w/rd', database: 'my shop' };

test('several hosts are parsed like in libpq, each with the same login and database', () => {
  const hostsOf: Record<string, { host: string; port: number }[]> = {
    'h1,h2': [
      { host: 'h1', port: 5432 },
      { host: 'h2', port: 5432 },
    ],
    'h1:6000,h2:6001': [
      { host: 'h1', port: 6000 },
      { host: 'h2', port: 6001 },
    ],
    'h1,h2:6001,[2001:db8::1]:6002,[::1],': [
      { host: 'h1', port: 5432 },
      { host: 'h2', port: 6001 },
      { host: '2001:db8::1', port: 6002 },
      { host: '::1', port: 5432 },
      { host: 'localhost', port: 5432 },
    ],
    '%2Frun%2Fpostgresql,h2': [
      { host: '/run/postgresql', port: 5432 },
      { host: 'h2', port: 5432 },
    ],
  };
  for (const [hosts, expected] of Object.entries(hostsOf))
    for (const scheme of ['postgres', 'postgresql'])
      assert.deepEqual(
        seenByPg(`${scheme}://ada:p%40ss%2Cw%2Frd@${hosts}/my%20shop?target_session_attrs=read-write`),
        expected.map((host) => ({ ...host, ...login })),
        hosts,
      );
});

test('hosts and ports of the query replace those of the authority, and a single port applies to all hosts', () => {
  const at = (query: string) => {
    const { hosts } = parseDatabaseAddress(`postgres://ada@elsewhere:1/shop?${query}`);
    for (const target of ['', '&target_session_attrs=read-write'])
      assert.deepEqual(
        seenByPg(`postgres://ada@elsewhere:1/shop?${query}${target}`).map(
          ({ host, port }) => `${host} ${port}`,
        ),
        hosts.map(({ host, port }) => `${host} ${port}`),
        query,
      );
    return hosts.map(({ host, port }) => `${host} ${port}`);
  };
  assert.deepEqual(at('host=h1,h2'), ['h1 1', 'h2 1']);
  assert.deepEqual(at('host=h1,h2&port=6000'), ['h1 6000', 'h2 6000']);
  assert.deepEqual(at('host=h1,::1&port=6000,6001'), ['h1 6000', '::1 6001']);
  assert.deepEqual(at('port=6000'), ['elsewhere 6000']);
  assert.deepEqual(at('host=/run/postgresql'), ['/run/postgresql 1']);
  // The last of two values counts.
  assert.deepEqual(at('host=h1&host=h2,h3&port=5&port=6'), ['h2 6', 'h3 6']);
  assert.deepEqual(at('host=h1&host=h2'), ['h2 1']);
  assert.throws(() => parseDatabaseAddress('postgres://h1:1,h2:2/shop?host=h3'), /one port for all hosts/);
  const twice = 'target_session_attrs=standby&target_session_attrs=read-write';
  assert.equal(parseDatabaseAddress(`postgres://h1/shop?${twice}`).target, 'read-write');
});

test('a user without a host is accepted, for an address with a socket folder in the query', () => {
  const login = { user: 'ada', password: 'p@ss', database: 'shop' };
  assert.deepEqual(seenByPg('postgres://ada:p%40ss@/shop?host=/run/postgresql'), [
    { host: '/run/postgresql', port: 5432, ...login },
  ]);
  assert.deepEqual(seenByPg('postgres://ada:p%40ss@:5433/shop'), [
    { host: 'localhost', port: 5433, ...login },
  ]);
});

test('parameters of the address reach pg for every host, except the one that pg does not know', () => {
  const { hosts } = parseDatabaseAddress(
    'postgres://h1,h2/shop?application_name=a%26b&target_session_attrs=any',
  );
  for (const { url } of hosts) {
    assert.equal(new URL(url).searchParams.get('application_name'), 'a&b');
    assert.doesNotMatch(url, /target_session_attrs/);
  }
});

test('an address with one host is passed to pg unchanged', () => {
  const texts = [
    'postgres://ada:hid den@db.example/shop',
    'postgresql:///shop?host=/run/postgresql',
    'postgres://[::1]:5433/x?a=%zz',
    'postgres://localhost',
  ];
  for (const text of texts) {
    const { hosts, target } = parseDatabaseAddress(text);
    assert.deepEqual(
      hosts.map(({ url }) => url),
      [text],
    );
    assert.equal(target, 'any');
  }
});

test('target_session_attrs may be any, read-write or primary, and any other value is rejected', () => {
  const read = (target: string) =>
    parseDatabaseAddress(`postgres://h1,h2/shop?target_session_attrs=${target}`).target;
  for (const target of ['any', 'read-write', 'primary']) assert.equal(read(target), target);
  for (const target of ['read-only', 'standby', 'prefer-standby', '', 'READ-WRITE'])
    assert.throws(() => read(target), /target_session_attrs .*any, read-write or primary/, target);
});

test('an unreadable address is rejected, and no part of it is shown', () => {
  const texts = [
    'mysql://ada:hunter2@h/shop',
    'postgres:ada:hunter2@h/shop',
    'postgres://ada:hunter2@h1:port,h2/shop',
    'postgres://ada:hunter2@h1:0,h2/shop',
    'postgres://ada:hunter2@h1:70000,h2/shop',
    'postgres://ada:hunter2@h1:1:2,h2/shop',
    'postgres://ada:hunter2@[::1,h2/shop',
    'postgres://ada:hunter2@::1,h2/shop',
    'postgres://ada:hunter2@%zz,h2/shop',
    'postgres://ada:hunter2@h1,h2/shop?port=1,2,3',
    'postgres://ada:hunter2@h1,h2/shop?target_session_attrs=hunter2',
    'postgres://ada:hunter2@h1:x/shop',
  ];
  for (const text of texts)
    assert.throws(
      () => parseDatabaseAddress(text),
      (error: Error) =>
        error instanceof InvalidDatabaseAddressError &&
        !/hunter2|h1|ada/.test(`${error.message}${error.stack}`),
      text,
    );
});
