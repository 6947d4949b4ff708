// `npm run release`: makes the files of a release from the commit of its tag: a tarball that needs no installation, the
// packages of the SDKs, and their checksums. Two runs on one commit give the same bytes. Must not: take a file from the
// working tree instead of the commit, or publish anything.

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  createWriteStream,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import {
  ensureInstalled,
  node24,
  npmCommand,
  PlainFault,
  releaseMark,
  root,
  runScript,
  say,
} from './toolchain.mjs';

/** What is in the tarball besides node_modules and the built dashboard: files and folders of the commit. */
const parts = [
  ...[
    '.env.example',
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    'CODE_OF_CONDUCT.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
  ],
  ...['SECURITY.md', 'exec.cmd', 'openapi.json'],
  ...['package.json', 'package-lock.json', 'releases.json', 'deploy', 'docs', 'migrations', 'sdk/src', 'src'],
  ...['sdk/LICENSE', 'sdk/README.md', 'sdk/package.json', 'sdk-python/LICENSE', 'sdk-python/README.md'],
  // What starts the service and the commands, and what a rehearsal of a restore needs.
  ...[
    'start',
    'paylink',
    'toolchain',
    'server-environment',
    'web',
    'cluster',
    'system-packages',
    'trim-packages',
  ].map((name) => `scripts/${name}.mjs`),
];

/** Not yet in every commit. */
const optional = new Set([
  'deploy',
  'scripts/trim-packages.mjs',
  'sdk-python/LICENSE',
  'sdk-python/README.md',
]);

const testFile = /\.(test|long|campaign)\.ts$/;

/** Runs a program. Returns its output. @throws {PlainFault} with its errors */
function run(/** @type {string} */ file, /** @type {string[]} */ args, cwd = root, env = process.env) {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (error) throw new PlainFault(`${file} could not be started: ${error.message}`);
  if (status !== 0)
    throw new PlainFault(`${[file, ...args].join(' ')} failed.\n${(stderr || stdout).trim()}`);
  return stdout.trim();
}

const git = (/** @type {string[]} */ ...args) => run('git', args);

/** The commit of a tag; '' without such a tag. */
function commitOf(/** @type {string} */ tag) {
  const { status, stdout } = spawnSync(
    'git',
    ['rev-parse', '--verify', '--quiet', `refs/tags/${tag}^{commit}`],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  return status === 0 ? stdout.trim() : '';
}

const versionIn = (/** @type {string} */ file) =>
  String(JSON.parse(readFileSync(path.join(root, file), 'utf8')).version);

/** The version of the SDK for Python. */
function readPythonVersion() {
  const file = path.join(root, 'sdk-python', 'pyproject.toml');
  return /^version = "(.*)"$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
}

/** The one version of the files that have one. */
function readVersion() {
  const version = versionIn('package.json');
  const others = {
    ...Object.fromEntries(['package-lock.json', 'sdk/package.json'].map((file) => [file, versionIn(file)])),
    'sdk-python/pyproject.toml': readPythonVersion(),
  };
  for (const [file, other] of Object.entries(others))
    if (other !== version)
      throw new PlainFault(`package.json has the version ${version}, and ${file} ${other}: set both to one.`);
  return version;
}

/** @throws {PlainFault} if the working tree is not the clean checkout of the version's tag, or the changelog lacks it */
function checkRelease(/** @type {string} */ version, /** @type {string} */ commit) {
  const [changed] = git('status', '--porcelain').split('\n');
  if (changed)
    throw new PlainFault(
      `The working tree differs from its commit (${changed.trim()}): commit, or remove the changes.`,
    );
  const tag = `v${version}`;
  const tagged = commitOf(tag);
  if (tagged === '')
    throw new PlainFault(
      `There is no tag ${tag}: tag the commit as in docs/releasing.md, or give --snapshot.`,
    );
  if (tagged !== commit)
    throw new PlainFault(
      `The tag ${tag} is on ${tagged.slice(0, 10)}, not on this commit: git checkout ${tag}`,
    );
  const headings = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8').match(/^## \[.*$/gm) ?? [];
  if (!headings.some((line) => line.startsWith(`## [${version}] - `)))
    throw new PlainFault(
      `CHANGELOG.md has no section "## [${version}] - …": package.json and the changelog disagree about the version.`,
    );
}

/** The arguments. @throws {PlainFault} for unknown ones */
function readArguments(/** @type {string[]} */ args) {
  const isSnapshot = args.includes('--snapshot');
  const at = args.indexOf('--out');
  const out = at === -1 ? 'release' : args[at + 1];
  const known = args.filter(
    (arg, index) => arg === '--snapshot' || (at !== -1 && (index === at || index === at + 1)),
  );
  if (known.length !== args.length || out === undefined)
    throw new PlainFault('Usage: npm run release -- [--snapshot] [--out FOLDER]');
  return { isSnapshot, out: path.resolve(out) };
}

/** Writes the files of the commit into a folder. */
function checkOut(/** @type {string} */ commit, /** @type {string} */ folder) {
  const archive = path.join(path.dirname(folder), 'source.tar');
  git('archive', '--format=tar', `--output=${archive}`, commit);
  mkdirSync(folder);
  run('tar', ['-xf', archive, '-C', folder]);
  rmSync(archive);
  // The build uses the installed packages, so they must be those of the commit.
  const lock = 'package-lock.json';
  if (!readFileSync(path.join(folder, lock)).equals(readFileSync(path.join(root, lock))))
    throw new PlainFault(
      'package-lock.json differs from that of the commit: commit it, and run the command again.',
    );
}

/** Installs the production packages, without those of one platform: the release runs wherever Node does. */
function installPackages(/** @type {string} */ folder) {
  say('Installing the production packages…');
  const npm = npmCommand();
  const quiet = ['--loglevel=error', '--no-audit', '--no-fund', '--no-update-notifier', '--prefer-offline'];
  run(npm.file, [...npm.args, 'ci', '--omit=dev', '--omit=optional', '--ignore-scripts', ...quiet], folder);
  // Fonts that receipts do not use are half of the packages.
  const trim = path.join(folder, 'scripts', 'trim-packages.mjs');
  if (existsSync(trim)) run(node24(), [trim], folder);
  // npm's record names the registry of this machine.
  rmSync(path.join(folder, 'node_modules', '.package-lock.json'), { force: true });
}

/** Builds the dashboard and the package of the SDK, with the installed packages. Returns the package's file. */
function build(/** @type {string} */ source) {
  symlinkSync(path.join(root, 'node_modules'), path.join(source, 'node_modules'));
  const { NODE_ENV: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  say('Building the dashboard and the SDK…');
  run(node24(), [path.join(source, 'scripts', 'build-web.mjs')], source, env);
  const sdk = path.join(source, 'sdk');
  run(node24(), [path.join(sdk, 'build.mjs')], sdk, env);
  const npm = npmCommand();
  const made = run(
    npm.file,
    [...npm.args, 'pack', '--ignore-scripts', '--json', '--loglevel=error'],
    sdk,
    env,
  );
  rmSync(path.join(source, 'node_modules'));
  return path.join(sdk, String(JSON.parse(made)[0].filename));
}

/** Builds the wheel of the SDK for Python. Returns its file; null where Python has no hatchling. */
function buildWheel(/** @type {string} */ source, /** @type {string} */ time) {
  const folder = path.join(source, 'sdk-python');
  if (!existsSync(folder)) return null;
  if (spawnSync('python3', ['-c', 'import hatchling']).status !== 0) {
    say('No wheel: Python has no hatchling. See docs/releasing.md.');
    return null;
  }
  say('Building the wheel…');
  // All times in the wheel are those of the commit.
  const env = { ...process.env, SOURCE_DATE_EPOCH: time, PYTHONDONTWRITEBYTECODE: '1' };
  run('python3', ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', 'dist'], folder, env);
  const [wheel = ''] = readdirSync(path.join(folder, 'dist'));
  return path.join(folder, 'dist', wheel);
}

/** Collects the files of the tarball. */
function assemble(/** @type {string} */ source, /** @type {string} */ target) {
  for (const part of [...parts, 'web/dist']) {
    const from = path.join(source, part);
    if (optional.has(part) && !existsSync(from)) continue;
    cpSync(from, path.join(target, part), { recursive: true, filter: (file) => !testFile.test(file) });
  }
}

/** The files of a folder in bytes, without following links. */
function sizeOf(/** @type {string} */ folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + lstatSync(path.join(entry.parentPath, entry.name)).size, 0);
}

/** Packs a folder: sorted names, the time of the commit, no owner, and rights that do not depend on the umask. */
async function pack(/** @type {string} */ folder, /** @type {string} */ time, /** @type {string} */ file) {
  const same = [
    '--format=gnu',
    '--sort=name',
    `--mtime=@${time}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
  ];
  const args = [
    '--create',
    ...same,
    '--mode=u+rw,go+r,go-w,a-s,a+X',
    '-C',
    path.dirname(folder),
    path.basename(folder),
  ];
  const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve, reject) => tar.once('error', reject).once('close', resolve));
  await pipeline(tar.stdout, createGzip({ level: 9 }), createWriteStream(file));
  if ((await ended) !== 0)
    throw new PlainFault(
      'tar failed: a release needs GNU tar (on macOS: brew install gnu-tar, and put its folder first on PATH).',
    );
}

const megabytes = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

await runScript(async () => {
  const { isSnapshot, out } = readArguments(process.argv.slice(2));
  const commit = git('rev-parse', 'HEAD');
  const number = readVersion();
  if (!isSnapshot) checkRelease(number, commit);
  const version = isSnapshot ? `${number}-snapshot.${commit.slice(0, 10)}` : number;
  await ensureInstalled();
  const stage = mkdtempSync(path.join(tmpdir(), 'paylink-release-'));
  try {
    const source = path.join(stage, 'source');
    const folder = path.join(stage, `paylink-${version}`);
    checkOut(commit, source);
    const time = git('show', '--no-patch', '--format=%ct', commit);
    const sdk = build(source);
    const wheel = buildWheel(source, time);
    assemble(source, folder);
    installPackages(folder);
    writeFileSync(path.join(folder, releaseMark), `${JSON.stringify({ version, commit })}\n`);
    const packed = path.join(stage, `${path.basename(folder)}.tar.gz`);
    await pack(folder, time, packed);
    const files = [packed, sdk, ...(wheel ? [wheel] : [])].sort();
    mkdirSync(out, { recursive: true });
    const sums = files.map((file) => {
      const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
      return `${sum}  ${path.basename(file)}\n`;
    });
    for (const file of files) cpSync(file, path.join(out, path.basename(file)));
    writeFileSync(path.join(out, 'SHA256SUMS.new'), sums.join(''));
    renameSync(path.join(out, 'SHA256SUMS.new'), path.join(out, 'SHA256SUMS'));
    for (const file of files) say(`${path.basename(file)}: ${megabytes(lstatSync(file).size)}`);
    say(
      `Unpacked: ${megabytes(sizeOf(folder))}, of which packages ${megabytes(sizeOf(path.join(folder, 'node_modules')))}`,
    );
    process.stdout.write(`${out}\n`);
    return 0;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
});
