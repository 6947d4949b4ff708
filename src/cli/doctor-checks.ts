// What `paylink doctor` can find out without the database: Node, settings, folder, key, disk, address.
// It must never change what it looks at, nor print a secret.

import { lookup } from 'node:dns/promises';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { parseApiKey } from '../api-keys/api-keys.ts';
import { type Keyring, openKeyring } from '../base/keyring.ts';
import { type Config, decodeMasterKey } from '../config.ts';
import { keyFilesOf, readMasterKeys } from '../master-key.ts';
import { reasonOf } from './client.ts';
import type { Environment } from './fault.ts';
import { profileName, readProfile } from './session.ts';

/** What a check found; `mend` says what to do. */
export type CheckResult = { check: string; state: 'ok' | 'warn' | 'fail'; detail: string; mend?: string };

export const ok = (check: string, detail: string): CheckResult => ({ check, state: 'ok', detail });
export const warn = (check: string, detail: string, mend: string): CheckResult => ({
  check,
  state: 'warn',
  detail,
  mend,
});
export const fail = (check: string, detail: string, mend: string): CheckResult => ({
  check,
  state: 'fail',
  detail,
  mend,
});

const oldestNode = { major: 24, minor: 7 };

/** Whether this Node runs the service. */
export function checkNode(version: string): CheckResult {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const { major: needed, minor: neededMinor } = oldestNode;
  if (major > needed || (major === needed && minor >= neededMinor)) return ok('node', `Node ${version}`);
  return fail('node', `Node ${version} is too old.`, `Use Node ${needed}.${neededMinor} or newer.`);
}

const isOpenToOthers = (path: string) => process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;

/** The folder of the embedded database and its key. */
export function checkFolder({ databaseUrl, dataDir }: Config): CheckResult[] {
  if (databaseUrl) return [];
  if (!existsSync(dataDir))
    return [
      warn(
        'data folder',
        `There is no ${dataDir} yet.`,
        'Start the service once, or set DATA_DIR as it has it.',
      ),
    ];
  const isOpen = isOpenToOthers(dataDir);
  return [
    isOpen
      ? fail('data folder', `Others may look into ${dataDir}.`, `chmod 700 ${dataDir}`)
      : ok('data folder', `${dataDir}, for its owner only`),
  ];
}

const mib = 1024 * 1024;
const lowDiskMib = 1024;
const noDiskMib = 100;

/** Room for the embedded database. A server's disk is not ours to look at. */
export async function checkDisk({ databaseUrl, dataDir }: Config): Promise<CheckResult[]> {
  if (databaseUrl || !existsSync(dataDir)) return [];
  const { bavail, bsize } = await statfs(dataDir);
  const freeMib = Math.floor((bavail * bsize) / mib);
  const detail = `${freeMib} MiB free in ${dataDir}`;
  if (freeMib < noDiskMib) return [fail('disk', detail, 'Make room: a full disk stops the database.')];
  return [freeMib < lowDiskMib ? warn('disk', detail, 'Make room before it runs out.') : ok('disk', detail)];
}

/** The keyring of the master keys; null where there is none to open. */
async function openKey(config: Config): Promise<Keyring | null> {
  const keys = readMasterKeys(config);
  return keys ? await openKeyring(keys.current, keys.old) : null;
}

function checkKeyFiles(config: Config): CheckResult | null {
  const { masterKey, databaseUrl, dataDir } = config;
  if (masterKey || databaseUrl) return null;
  const { current: file, old } = keyFilesOf(config);
  if (!existsSync(file))
    return existsSync(join(dataDir, 'pg'))
      ? fail(
          'master key',
          `${file} is missing beside a database.`,
          'Restore it from a backup, or set PAYLINK_MASTER_KEY.',
        )
      : warn('master key', 'There is none yet.', 'Start the service once; it makes one.');
  return checkKeyFile(file) ?? (existsSync(old) ? checkKeyFile(old) : null);
}

function checkKeyFile(file: string): CheckResult | null {
  if (isOpenToOthers(file)) return fail('master key', `Others may read ${file}.`, `chmod 600 ${file}`);
  if (!decodeMasterKey(readFileSync(file, 'utf8').trim()))
    return fail('master key', `${file} holds no key of 32 bytes.`, 'Restore it from a backup.');
  return null;
}

type KeySet = { keys?: { kid?: string }[] };

/** The key set of the running service; null when it gives none. */
export async function fetchKeySet(baseUrl: string): Promise<KeySet | null> {
  try {
    const response = await fetch(`${baseUrl}/.well-known/jwks.json`, {
      signal: AbortSignal.timeout(responseTimeoutMs),
    });
    return response.ok ? ((await response.json()) as KeySet) : null;
  } catch {
    return null;
  }
}

/**
 * Whether the master key is the one that made the keys: by the key set of the running service, or by an
 * API key that `paylink login` kept.
 */
export async function checkKey(config: Config, env: Environment): Promise<CheckResult> {
  const fault = checkKeyFiles(config);
  if (fault) return fault;
  const keyring = await openKey(config);
  if (!keyring) return fail('master key', 'There is none.', 'Set PAYLINK_MASTER_KEY.');
  const otherKey = 'Set PAYLINK_MASTER_KEY, or DATA_DIR, as the service has it.';
  const keySet = await fetchKeySet(config.baseUrl);
  if (keySet?.keys)
    return keySet.keys.some(({ kid }) => kid === keyring.jwks.keys[0]?.kid)
      ? ok('master key', `the one of the service at ${config.baseUrl}`)
      : fail('master key', `The service at ${config.baseUrl} has another one.`, otherKey);
  const kept = await readProfile(env, profileName(env, undefined));
  if (kept?.url !== config.baseUrl) return ok('master key', 'present; there is no key to compare it with');
  return parseApiKey(keyring, kept.apiKey)
    ? ok('master key', 'the one that made the API key of your login')
    : fail('master key', 'It did not make the API key of your login.', otherKey);
}

/** A change of the master key is a way with an end. */
export function checkOldKey(config: Config): CheckResult[] {
  const isKept = !config.masterKey && existsSync(keyFilesOf(config).old);
  if (!config.oldMasterKey && !isKept) return [];
  return [
    warn(
      'old master key',
      'It is still good: the master key is being changed.',
      'Go on with "Changing the master key" in docs/operations.md until it is taken out.',
    ),
  ];
}

const responseTimeoutMs = 3_000;

/** Whether a host of a URL is this machine. */
export const isLoopback = (host: string) =>
  host === 'localhost' || host === '[::1]' || host.startsWith('127.');

/** Whether links lead here: the address resolves, and answers that it is ready. */
export async function checkAddress({ baseUrl }: Config): Promise<CheckResult[]> {
  const url = new URL(baseUrl);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const findings: CheckResult[] = [];
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    findings.push(
      warn('BASE_URL', `${baseUrl} is not encrypted.`, 'Put a proxy with TLS in front and use https.'),
    );
  if (isIP(host) === 0) {
    const address = await lookup(host).catch((error: unknown) => reasonOf(error));
    if (typeof address === 'string')
      return [
        ...findings,
        fail('BASE_URL', `${host} has no address (${address}).`, 'Mend its DNS entry, or BASE_URL.'),
      ];
  }
  return [...findings, await askReadiness(baseUrl)];
}

async function askReadiness(baseUrl: string): Promise<CheckResult> {
  try {
    const signal = AbortSignal.timeout(responseTimeoutMs);
    const response = await fetch(`${baseUrl}/readyz`, { signal });
    const answer = (await response.json().catch(() => null)) as { status?: unknown; detail?: unknown } | null;
    if (response.ok && answer?.status === 'ready')
      return ok('BASE_URL', `${baseUrl} answers that it is ready`);
    if (response.status === 503)
      return fail('BASE_URL', `${baseUrl} is not ready: ${String(answer?.detail ?? '')}`, 'Look at its log.');
    return fail(
      'BASE_URL',
      `${baseUrl}/readyz answers ${response.status}, not as Paylink does.`,
      'See that BASE_URL, and the proxy behind it, lead to this service.',
    );
  } catch (error) {
    return warn(
      'BASE_URL',
      `Nothing answers at ${baseUrl} (${reasonOf(error)}).`,
      'Start the service; if it runs, see that BASE_URL leads to it.',
    );
  }
}

/** A proxy that is not named makes all clients one. */
export function checkProxies({ baseUrl, host, trustedProxies }: Config): CheckResult {
  if (trustedProxies.length > 0) return ok('proxies', `believed: ${trustedProxies.join(', ')}`);
  // Paylink speaks no TLS by itself, so somebody in front does.
  if (baseUrl.startsWith('https:'))
    return warn(
      'proxies',
      'BASE_URL is https, so a proxy stands in front, and none is named: all clients share its limits.',
      'Set TRUSTED_PROXIES to its address.',
    );
  return ok('proxies', `none is believed; the service listens on ${host}`);
}

/** Whether test webhooks may reach this machine: a service that the world can see is no place to try that out. */
export function checkLoopback({ baseUrl, webhooksAllowLoopback }: Config): CheckResult[] {
  if (!webhooksAllowLoopback) return [];
  if (!baseUrl.startsWith('https:'))
    return [ok('webhooks', 'in test mode they may go to this machine itself')];
  return [
    warn(
      'webhooks',
      'BASE_URL is https, and whoever has a test key may have requests sent to programs on this machine.',
      'Unset WEBHOOKS_ALLOW_LOOPBACK: it is for development.',
    ),
  ];
}
