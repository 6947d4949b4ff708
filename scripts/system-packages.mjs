// Finds what the tests need besides npm packages: PostgreSQL, Chromium, a font, curl and Python; for long tests also
// proxies, a pooler, promtool, PHP, Go and systemd's check of units, and what single campaigns need. Installs missing
// ones with Debian's package manager if the user agrees. Must not: replace what is already installed, or install without
// consent outside CI.

import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectOutput, oneAtATime, PlainFault, say } from './toolchain.mjs';

const oldestPostgres = 15;

/** Folders with a PostgreSQL per version, and the subfolder of its binaries. */
const postgresFolders = [
  ['/usr/lib/postgresql', '', 'bin'],
  ['/usr', 'pgsql-', 'bin'],
  ['/opt/homebrew/opt', 'postgresql@', 'bin'],
  ['/usr/local/opt', 'postgresql@', 'bin'],
  ['/Applications/Postgres.app/Contents/Versions', '', 'bin'],
  ['/usr/local', 'pgsql', 'bin'],
  ['/opt/homebrew', 'bin', '.'],
];

const pythonPackages = ['python3', 'python3-jwt', 'python3-cryptography'];
/** Called by name; Debian's packages have the same names. */
const plainTools = ['curl', 'qpdf'];
const debianPackages = ['postgresql', 'chromium', ...pythonPackages, ...plainTools];
/** Chromium without a user interface: much faster, but without the bfcache, so the tests need both. */
const lightBrowser = 'chromium-headless-shell';

const chromiumNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const chromiumFiles = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/snap/bin/chromium',
];

/** Only long tests need these, each with Debian's package. Only Linux has systemd. */
const longTools = new Map([
  ['caddy', 'caddy'],
  ['go', 'golang-go'],
  ['haproxy', 'haproxy'],
  ['nginx', 'nginx'],
  ['php', 'php-cli'],
  ['pgbouncer', 'pgbouncer'],
  ['promtool', 'prometheus'],
  ...(process.platform === 'linux' ? [/** @type {const} */ (['systemd-analyze', 'systemd'])] : []),
]);
/** Only these campaigns need these, in addition. */
const campaignTools = new Map([
  [
    'failover.campaign.ts',
    new Map([
      ['etcd', 'etcd-server'],
      ['patroni', 'patroni'],
    ]),
  ],
  [
    'generated-clients.campaign.ts',
    new Map([
      ['composer', 'composer'],
      ['java', 'default-jre-headless'],
      ...['php-curl', 'php-guzzlehttp-guzzle', 'php-mbstring'].map(
        (name) => /** @type {const} */ ([name, name]),
      ),
    ]),
  ],
  ['image.campaign.ts', new Map(['buildah', 'mmdebstrap', 'podman', 'runc'].map((name) => [name, name]))],
]);
/** Packages without a program, and what PHP answers if one is installed. */
const phpParts = new Map([
  ['php-curl', "extension_loaded('curl')"],
  ['php-guzzlehttp-guzzle', "stream_resolve_include_path('GuzzleHttp/autoload.php')"],
  ['php-mbstring', "extension_loaded('mbstring')"],
]);
/** Where a system installs servers; a user's PATH may lack these folders. */
const serverFolders = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin', '/usr/local/bin'];

/** @typedef {{ postgresBin: string; chromium: string; lightChromium: string; python: string; longTools: Record<string, string> }} Machine */

/**
 * Finds what the tests need, and installs it if the user agrees.
 * @param {{ isLong: boolean; files: string[]; mayInstall: boolean }} options whether long tests run, otherwise
 *   `longTools` may be incomplete; the test files; and whether to install without asking
 * @returns {Promise<Machine>} absolute: the folder with initdb and postgres, the files of the browsers, and a Python that verifies JWTs
 * @throws {PlainFault} saying what to install
 */
export async function ensureMachine({ isLong, files, mayInstall }) {
  if (process.platform === 'win32') {
    throw new PlainFault('The tests run on Linux and macOS: on Windows run them inside WSL.');
  }
  const needed = neededTools(isLong, files);
  const missing = missingPackages(needed, mayInstall);
  const canInstall = missing.length > 0 && aptPrefix() !== null;
  if (canInstall && (mayInstall || (await agrees(missing)))) {
    // apt locks only some of its steps: concurrent runs can remove each other's downloads.
    await oneAtATime('/tmp/paylink-apt.lock', () => installPackages(needed, mayInstall));
  }
  const postgresBin = findPostgres();
  const chromium = findChromium();
  const python = findPython();
  const missingTools = [...missingPlainTools(), ...missingLongTools(needed)];
  const tools = findLongTools();
  if (chromium && !findLightBrowser() && findOnPath('apt-get'))
    say(
      `The tests in a browser are several times faster with ${lightBrowser}: apt-get install ${lightBrowser}`,
    );
  if (postgresBin && chromium && python && missingTools.length === 0)
    return { postgresBin, chromium, lightChromium: findLightBrowser() ?? chromium, python, longTools: tools };
  const names = [
    ...(postgresBin ? [] : [`PostgreSQL ${oldestPostgres} or newer (initdb and postgres)`]),
    ...(chromium ? [] : ['Chromium or Google Chrome']),
    ...(python ? [] : ['Python 3 with PyJWT and cryptography']),
    ...missingTools,
  ].join(' and ');
  const packages = [...new Set([...debianPackages, ...missingTools])];
  const withConsent = canInstall && !mayInstall ? ', or add `-- --install` to the command' : '';
  throw new PlainFault(
    `The tests need ${names}. Install it with your package manager ` +
      `(Debian: apt-get install ${packages.join(' ')}) and run the command again${withConsent}.`,
  );
}

/** Asks in the terminal. Without a terminal the answer is no. */
async function agrees(/** @type {string[]} */ packages) {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const question = `The tests need system packages: ${packages.join(', ')}. Install them with apt-get? [y/N] `;
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}

/**
 * Finds what `npm run bench` needs. It installs nothing.
 * @param {{ needsBrowser: boolean }} options only the dashboard's measurement needs one
 * @returns {{ postgresBin: string; pgbench: string; wrk: string; chromium: string }} absolute; the browser may be ''
 * @throws {PlainFault} saying what to install
 */
export function findBenchTools({ needsBrowser }) {
  if (process.platform !== 'linux') throw new PlainFault('The bench reads /proc: it runs on Linux.');
  const postgresBin = findPostgres() ?? '';
  const pgbench = path.join(postgresBin, 'pgbench');
  const wrk = findOnPath('wrk');
  const chromium = (needsBrowser && findChromium()) || '';
  const lacksBrowser = needsBrowser && chromium === '';
  if (wrk && isExecutable(pgbench) && !lacksBrowser) return { postgresBin, pgbench, wrk, chromium };
  const wanted = [
    ...(wrk ? [] : ['wrk']),
    ...(isExecutable(pgbench) ? [] : ['PostgreSQL with pgbench']),
    ...(lacksBrowser ? ['Chromium or Google Chrome'] : []),
  ];
  throw new PlainFault(
    `The bench needs ${wanted.join(' and ')}. Install it with your package manager ` +
      '(Debian: apt-get install wrk postgresql chromium) and run the command again.',
  );
}

/**
 * The folder of a new enough PostgreSQL's binaries: POSTGRES_BIN has priority, so that a developer can test another
 * version; then PATH, then the newest of the usual places; undefined without.
 */
export function findPostgres() {
  const named = process.env.POSTGRES_BIN;
  if (named) {
    if (isNewEnough(named)) return named;
    throw new PlainFault(
      `POSTGRES_BIN names ${named}, which has no initdb and postgres of PostgreSQL ${oldestPostgres} or newer: correct it or unset it.`,
    );
  }
  const onPath = findOnPath('postgres');
  const first = onPath ? path.dirname(realpathSync(onPath)) : '';
  if (isNewEnough(first)) return first;
  const versioned = postgresFolders.flatMap(([base = '', prefix = '', below = '']) =>
    readFolder(base)
      .filter((name) => name.startsWith(prefix))
      .map((name) => path.join(base, name, below)),
  );
  versioned.sort((a, b) => majorOf(b) - majorOf(a));
  return versioned.find(isNewEnough);
}

function isNewEnough(/** @type {string} */ dir) {
  return isExecutable(path.join(dir, 'initdb')) && majorOf(dir) >= oldestPostgres;
}

/** The major version of the PostgreSQL in a folder, or 0 without a working one. */
function majorOf(/** @type {string} */ dir) {
  const file = path.join(dir, 'postgres');
  if (!isExecutable(file)) return 0;
  const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
  return Number(/\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1] ?? 0);
}

/** CHROMIUM_PATH has priority, so that a developer can test another browser. */
function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (isExecutable(named)) return named;
    throw new PlainFault(`CHROMIUM_PATH names ${named}, which cannot be executed: correct it or unset it.`);
  }
  for (const name of chromiumNames) {
    const file = findOnPath(name);
    if (file) return file;
  }
  return chromiumFiles.find(isExecutable);
}

/** The browser that CHROMIUM_PATH names does everything. */
function findLightBrowser() {
  return process.env.CHROMIUM_PATH ? findChromium() : findOnPath(lightBrowser);
}

/** The name of a tool in the names of environment variables. */
export const toolVariable = (/** @type {string} */ name) => name.toUpperCase().replaceAll('-', '_');

/** The file of a tool: from PATH, from the folders of servers, or where PGBOUNCER_PATH names another version. */
function findTool(/** @type {string} */ name) {
  const setting = `${toolVariable(name)}_PATH`;
  const named = process.env[setting];
  if (!named) return findOnPath(name) ?? serverFolders.map((dir) => path.join(dir, name)).find(isExecutable);
  if (isExecutable(named)) return named;
  throw new PlainFault(`${setting} names ${named}, which cannot be executed: correct it or unset it.`);
}

/** @typedef {Map<string, string>} Tools each with Debian's package */

/** @returns {Tools} what the long tests and the campaigns among the files need */
function neededTools(/** @type {boolean} */ isLong, /** @type {string[]} */ files) {
  const ofCampaigns = files.flatMap((file) => [...(campaignTools.get(path.basename(file)) ?? [])]);
  return new Map([...(isLong ? longTools : []), ...ofCampaigns]);
}

/** @returns {Record<string, string>} the files of the installed ones, by name */
function findLongTools() {
  const ofCampaigns = [...campaignTools.values()].flatMap((tools) => [...tools.keys()]);
  const found = [...longTools.keys(), ...ofCampaigns].map((name) => [name, findTool(name)]);
  return Object.fromEntries(found.filter(([, file]) => file !== undefined));
}

function missingPlainTools() {
  return plainTools.filter((name) => findOnPath(name) === undefined);
}

function missingLongTools(/** @type {Tools} */ needed) {
  const tools = findLongTools();
  const isMissing = (/** @type {string} */ name) => tools[name] === undefined && !hasPhpPart(name);
  return [...needed].flatMap(([name, debianPackage]) => (isMissing(name) ? [debianPackage] : []));
}

function hasPhpPart(/** @type {string} */ name) {
  const check = phpParts.get(name);
  const php = check && findTool('php');
  return php ? spawnSync(php, ['-r', `exit(${check} ? 0 : 1);`], { stdio: 'ignore' }).status === 0 : false;
}

/** The first Python with the packages that verify a result as in docs/api.md: PATH's may lack them. */
function findPython() {
  const modules = 'import jwt, cryptography';
  return [...findAllOnPath('python3'), '/usr/bin/python3']
    .filter(isExecutable)
    .find((file) => spawnSync(file, ['-c', modules], { stdio: 'ignore' }).status === 0);
}

/** Whether any font is installed: without one a browser draws empty boxes. */
function hasFonts() {
  if (process.platform !== 'linux') return true;
  const folders = ['/usr/share/fonts', '/usr/local/share/fonts', path.join(homedir(), '.local/share/fonts')];
  return folders
    .filter((dir) => existsSync(dir))
    .some((dir) =>
      readdirSync(dir, { recursive: true }).some((name) => /\.(ttf|otf|ttc)$/i.test(String(name))),
    );
}

/** @param {Tools} needed @param {boolean} mayInstall then also what only makes the tests faster */
function missingPackages(needed, mayInstall) {
  return [
    ...(findPostgres() ? [] : ['postgresql']),
    ...(findChromium() ? [] : ['chromium']),
    ...(mayInstall && !findLightBrowser() ? [lightBrowser] : []),
    ...(hasFonts() ? [] : ['fonts-dejavu-core']),
    ...(findPython() ? [] : pythonPackages),
    ...missingPlainTools(),
    ...missingLongTools(needed),
  ];
}

/**
 * Installs what is missing. A failure is printed and leaves the machine as it is.
 * @param {Tools} needed @param {boolean} mayInstall
 */
async function installPackages(needed, mayInstall) {
  const names = missingPackages(needed, mayInstall);
  const prefix = aptPrefix();
  if (!prefix || names.length === 0) return;
  say(`Installing ${names.join(', ')} with apt-get (once)…`);
  // One unreachable source makes the update fail, but the others may have the packages.
  const updateFault = await runApt([...prefix, 'update', '-q']);
  const install = async (/** @type {string[]} */ packages) =>
    packages.length === 0
      ? null
      : await runApt([...prefix, 'install', '-q', '-y', '--no-install-recommends', ...packages]);
  let fault = await install(names);
  // Not every distribution has the light browser, and the tests can do without.
  if (fault !== null && names.includes(lightBrowser))
    fault = await install(names.filter((name) => name !== lightBrowser));
  if (fault !== null) say(`${updateFault ?? ''}\n${fault}\n\napt-get could not install ${names.join(', ')}.`);
}

/** @returns {string[] | null} the command line before the verb, or null when apt-get cannot be used */
function aptPrefix() {
  const apt = findOnPath('apt-get');
  if (!apt) return null;
  // RUNLEVEL=1 keeps apt from starting a newly installed server: the tests start their own.
  const settings = ['DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1'];
  // dpkg's tools are in folders that a user's PATH may lack.
  const search = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  const command = ['env', search, ...settings, apt, '-o', 'DPkg::Lock::Timeout=600'];
  if (process.getuid?.() === 0) return command;
  const mayBecomeRoot = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  return mayBecomeRoot ? ['sudo', '-n', ...command] : null;
}

/** Waits for another apt-get first. @returns {Promise<string | null>} its output when it failed */
async function runApt(/** @type {string[]} */ command) {
  const [file = '', ...args] = command;
  for (let attempts = 1; ; attempts++) {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = collectOutput(child);
    const code = await new Promise((resolve) => {
      child.on('error', () => resolve(127));
      child.on('close', resolve);
    });
    if (code === 0) return null;
    if (!/Could not get lock|Unable to lock/.test(output.text) || attempts === 300) return output.text.trim();
    await sleep(2_000);
  }
}

function findOnPath(/** @type {string} */ name) {
  return findAllOnPath(name)[0];
}

/** Every executable of that name on PATH, except in the folder that npm prepends. */
function findAllOnPath(/** @type {string} */ name) {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((dir) => dir !== '' && !dir.endsWith(path.join('node_modules', '.bin')))
    .map((dir) => path.join(dir, name))
    .filter(isExecutable);
}

function isExecutable(/** @type {string} */ file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @returns {string[]} */
function readFolder(/** @type {string} */ dir) {
  return existsSync(dir) ? readdirSync(dir) : [];
}
