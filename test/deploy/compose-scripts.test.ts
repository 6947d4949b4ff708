// The scripts that compose.yaml and docs/install.md use: secrets for an installation, and its database.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { parseEnv } from 'node:util';
import pg from 'pg';
import { type Cluster, startCluster } from '../../scripts/cluster.mjs';
import { read } from '../harness/documents.ts';
import { createProcessGroup, root } from '../harness/process.ts';
import { postgresBin } from '../harness/services.ts';

const stage = createProcessGroup();
let cluster: Cluster;
before(async () => {
  cluster = await startCluster(postgresBin());
});
after(async () => {
  await stage.clear();
  await cluster.stop();
});

const runScript = (name: string, args: readonly string[], env: Record<string, string>) =>
  execFileSync('sh', [`${root}deploy/compose/${name}`, ...args], { encoding: 'utf8', env });

const createSecrets = (...args: string[]) =>
  parseEnv(runScript('create-env.sh', args, { PATH: process.env.PATH ?? '' }));

test('create-env.sh prints every variable that compose.yaml requires, with other secrets each time', () => {
  const secrets = createSecrets('pay.example.com');
  const required = [...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
  assert.deepEqual(Object.keys(secrets).sort(), [...new Set(required)].sort());
  assert.equal(secrets.PAYLINK_HOST, 'pay.example.com');
  const other = createSecrets();
  assert.equal(other.PAYLINK_HOST, 'localhost');
  for (const [name, value = ''] of Object.entries(secrets))
    if (name !== 'PAYLINK_HOST') assert.ok(value.length >= 44 && value !== other[name], name);
});

test('create-database.sh creates a database in which the service starts, for a user without special rights', async () => {
  const server = new URL(cluster.url);
  const { PAYLINK_DATABASE_PASSWORD = '', PAYLINK_MASTER_KEY = '' } = createSecrets();
  runScript('create-database.sh', [], {
    PATH: `${postgresBin()}:${process.env.PATH}`,
    PGHOST: server.hostname,
    PGPORT: server.port,
    PGPASSWORD: decodeURIComponent(server.password),
    POSTGRES_USER: server.username,
    PAYLINK_DATABASE_PASSWORD,
  });
  const own = new URL(cluster.url);
  [own.username, own.password, own.pathname] = ['paylink', PAYLINK_DATABASE_PASSWORD, '/paylink'];
  const run = await stage.start({
    through: 'server',
    settings: { DATABASE_URL: own.href, PAYLINK_MASTER_KEY },
  });
  await run.ready();
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  const { rows } = await client.query(
    `select rolsuper, rolcreaterole, rolbypassrls from pg_roles where rolname = 'paylink'`,
  );
  await client.end();
  assert.deepEqual(rows, [{ rolsuper: false, rolcreaterole: false, rolbypassrls: false }]);
});
