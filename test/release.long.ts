// A release is made from the commit of this checkout, unpacked elsewhere, and used with nothing but Node 24. The short form
// of release.campaign.ts, which makes one twice.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { type Credentials, createLinkAs, post } from './harness/client.ts';
import { makeRelease } from './harness/made-release.ts';
import { createProcessGroup, root, stopRun } from './harness/process.ts';
import { payWith, visit } from './harness/visitor.ts';
import { run } from './sdk/packed.ts';

const stage = createProcessGroup();
let home: string;
let unpacked: string;
/** The files of a release, by name. */
let files: Map<string, Buffer>;
let report: string;

before(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'paylink-release-'));
  ({ files, report } = await makeRelease(path.join(home, 'first'), 'npm'));
  const tarball = [...files.keys()].find((name) => name.endsWith('.tar.gz')) ?? '';
  const place = path.join(home, 'installed');
  mkdirSync(place);
  execFileSync('tar', ['-xzf', path.join(home, 'first', tarball), '-C', place]);
  const [folder = ''] = readdirSync(place);
  unpacked = path.join(place, folder);
});
after(async () => {
  await stage.clear();
  await rm(home, { recursive: true, force: true });
});

test('a release has the tarball, the package of the SDK, and checksums that are right', () => {
  const names = [...files.keys()].sort();
  // The wheel is made only where Python has hatchling.
  assert.match(
    names.join(' '),
    /^SHA256SUMS paylink-\d[\w.-]+\.tar\.gz paylink-sdk-[\d.]+\.tgz( paylink_sdk-[\d.]+-py3-none-any\.whl)?$/,
  );
  execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
    cwd: path.join(home, 'first'),
    stdio: 'pipe',
  });
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const mark = JSON.parse(readFileSync(path.join(unpacked, '.paylink-release'), 'utf8'));
  assert.equal(mark.commit, commit);
  assert.match(report, /Unpacked: [\d.]+ MB, of which packages [\d.]+ MB/);
});

test('the tarball has no tests, no packages for development, nothing of one platform, and no repository', () => {
  const names = readdirSync(unpacked, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.split(path.sep).join('/'),
  );
  const own = names.filter((name) => !name.startsWith('node_modules/'));
  for (const unwanted of [
    /^test(\/|$)/,
    /^bench(\/|$)/,
    /^\.(git|ci|github)(\/|$)/,
    /\.(test|long|campaign)\.ts$/,
  ])
    assert.deepEqual(
      own.filter((name) => unwanted.test(name)),
      [],
      String(unwanted),
    );
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; os?: string[] }>;
  };
  const present = Object.entries(lock.packages).filter(
    ([name]) => name !== '' && existsSync(path.join(unpacked, name)),
  );
  assert.ok(present.length > 50);
  assert.deepEqual(
    present.filter(([, entry]) => entry.dev || entry.optional || entry.os).map(([name]) => name),
    [],
  );
  assert.deepEqual(
    names.filter((name) => name.endsWith('.node') || /(^|\/)bin\/node$/.test(name)),
    [],
  );
  for (const wanted of [
    'LICENSE',
    'CHANGELOG.md',
    'package.json',
    'migrations/0000_roles.sql',
    'web/dist/index.html',
  ])
    assert.ok(names.includes(wanted), wanted);
});

test('the files have one time, no owner and plain rights', () => {
  const tarball = [...files.keys()].find((name) => name.endsWith('.tar.gz')) ?? '';
  const list = ['-tvzf', path.join(home, 'first', tarball), '--numeric-owner', '--full-time'];
  const lines = execFileSync('tar', list, { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .trim()
    .split('\n');
  const kinds = new Set(
    lines.map((line) => {
      const [rights, owner, , day, time] = line.split(/\s+/);
      return [rights, owner, day, time].join(' ');
    }),
  );
  const times = new Set([...kinds].map((kind) => kind.split(' ').slice(2).join(' ')));
  assert.equal(times.size, 1);
  const gzipTime = files.get(tarball)?.subarray(4, 8);
  assert.deepEqual([...(gzipTime ?? [])], [0, 0, 0, 0]);
  for (const kind of kinds)
    assert.match(kind, /^(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x|lrwx(rwx|r-x)(rwx|r-x)) 0\/0 /);
});

/** A folder with Node 24 and nothing else. */
function onlyNode(): string {
  const folder = path.join(home, 'only-node');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(path.join(folder, 'node'))) symlinkSync(process.execPath, path.join(folder, 'node'));
  return folder;
}

test('an unpacked release starts with only Node on PATH, takes a payment, and shows the dashboard', async () => {
  const before = readdirSync(unpacked, { recursive: true }).length;
  const account = { email: 'owner@example.com', password: 'only for this test 1' };
  const service = await stage.start({
    through: 'launcher',
    code: unpacked,
    node: process.execPath,
    settings: {
      PATH: onlyNode(),
      npm_config_offline: 'true',
      npm_config_registry: 'http://127.0.0.1:1/',
      BOOTSTRAP_EMAIL: account.email,
      BOOTSTRAP_PASSWORD: account.password,
      NODE_COMPILE_CACHE: path.join(home, 'compiled'),
    },
  });
  await service.ready();
  assert.doesNotMatch(service.stderr(), /Installing|Building/);
  const { status, headers, body } = await post(`${service.url}/v1/auth/login`, account);
  assert.equal(status, 200);
  const credentials: Credentials = {
    token: String(body.token),
    apiKey: headers.get('x-api-key') ?? '',
    companyId: headers.get('x-company-id') ?? '',
  };
  const { link } = await createLinkAs({ baseUrl: service.url }, credentials);
  assert.match((await payWith(link, { number: '4242424242424242' })).url, /status=paid/);
  const dashboard = await visit(`${service.url}/dashboard`);
  assert.equal(dashboard.status, 200);
  const [, script = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(dashboard.text) ?? [];
  const asset = await fetch(new URL(script, service.url));
  assert.equal(asset.status, 200);
  assert.match(asset.headers.get('content-type') ?? '', /javascript/);
  await stopRun(service);
  assert.equal(readdirSync(unpacked, { recursive: true }).length, before, 'a start adds no file');
});

test('the commands of an unpacked release work with only Node on PATH', async () => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const env = {
    PATH: onlyNode(),
    NODE_COMPILE_CACHE: path.join(home, 'compiled'),
    DATA_DIR: path.join(home, 'none'),
  };
  const shown = await run('node', [path.join(unpacked, 'scripts', 'paylink.mjs'), '--version'], home, env);
  assert.deepEqual([shown.code, shown.output], [0, `${version}\n`], shown.errors);
  const pending = await run(
    'node',
    [path.join(unpacked, 'scripts', 'paylink.mjs'), 'admin', 'migrate', '--dry-run'],
    home,
    env,
  );
  assert.equal(pending.code, 0, pending.errors);
  assert.match(pending.output, /0000_roles\.sql/);
});

test('the package of the SDK can be installed and used without a network', async () => {
  const project = path.join(home, 'project');
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }\n');
  const packed = [...files.keys()].find((name) => name.endsWith('.tgz')) ?? '';
  cpSync(path.join(home, 'first', packed), path.join(project, packed));
  const offline = { npm_config_offline: 'true', npm_config_cache: path.join(home, 'npm-cache') };
  const installed = await run('npm', ['install', '--no-audit', '--no-fund', `./${packed}`], project, offline);
  assert.equal(installed.code, 0, installed.errors);
  const program = "import { createPaylink } from '@paylink/sdk'; console.log(typeof createPaylink)";
  const used = await run(process.execPath, ['--input-type=module', '--eval', program], project);
  assert.equal(used.output, 'function\n', used.errors);
});
