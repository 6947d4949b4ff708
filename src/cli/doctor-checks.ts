// The checks of `paylink doctor` without a database. Must not: change anything, or print a secret.

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
import type { Environment } from './command-error.ts';
import { accountOf, profileName, readProfile } from './session.ts';

/** The result of a check; `mend` is what to do. A check that does not apply gives null. */
export type CheckResult = { check: string; state: 'ok' | 'warn' | 'fail'; detail: string; mend?: string };

export const ok = (check: string, detail: string): CheckResult => ({ check, state: 'ok', detail });
const problem =
  (state: 'warn' | 'fail') =>
  (check: string, detail: string, mend: string): CheckResult => ({ check, state, detail, mend });
export const warn = problem('warn');
export const fail = problem('fail');

const minNodeVersion = { major: 24, minor: 7 };

export function checkNode(version: string): CheckResult {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const { major: needed, minor: neededMinor } = minNodeVersion;
  if (major > needed || (major === needed && minor >= neededMinor)) return ok('node', `Node ${version}`);
  return fail('node', `Node ${version} is too old.`, `Use Node ${needed}.${neededMinor} or newer.`);
}

const isOpenToOthers = (path: string) => process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;

export function checkFolder({ databaseUrl, dataDir }: Config): CheckResult | null {
  if (databaseUrl) return null;
  const mend = 'Start the service once, or set DATA_DIR as for the service.';
  if (!existsSync(dataDir)) return warn('data folder', `${dataDir} does not exist yet.`, mend);
  return isOpenToOthers(dataDir)
    ? fail('data folder', `Other users can access ${dataDir}.`, `chmod 700 ${dataDir}`)
    : ok('data folder', `${dataDir}, accessible only by its owner`);
}

const mib = 1024 * 1024;
const lowDiskMib = 1024;
const noDiskMib = 100;

export async function checkDisk({ databaseUrl, dataDir }: Config): Promise<CheckResult | null> {
  if (databaseUrl || !existsSync(dataDir)) return null;
  const { bavail, bsize } = await statfs(dataDir);
  const freeMib = Math.floor((bavail * bsize) / mib);
  const detail = `${freeMib} MiB free in ${dataDir}`;
  if (freeMib < noDiskMib) return fail('disk', detail, 'Free some space: a full disk stops the database.');
  return freeMib < lowDiskMib
    ? warn('disk', detail, 'Free some space before the disk is full.')
    : ok('disk', detail);
}

/** Null without a key. */
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
          `There is a database, but ${file} is missing.`,
          'Restore it from a backup, or set PAYLINK_MASTER_KEY.',
        )
      : warn('master key', 'There is none yet.', 'Start the service once: it creates one.');
  return checkKeyFile(file) ?? (existsSync(old) ? checkKeyFile(old) : null);
}

function checkKeyFile(file: string): CheckResult | null {
  if (isOpenToOthers(file)) return fail('master key', `Other users can read ${file}.`, `chmod 600 ${file}`);
  if (!decodeMasterKey(readFileSync(file, 'utf8').trim()))
    return fail('master key', `${file} does not contain a key of 32 bytes.`, 'Restore it from a backup.');
  return null;
}

type KeySet = { keys?: { kid?: string }[] };

/** Null without a response. */
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

/** Whether the master key is that of the running service, by its key set, or that of the stored login's API key. */
export async function checkKey(config: Config, env: Environment): Promise<CheckResult> {
  const problem = checkKeyFiles(config);
  if (problem) return problem;
  const keyring = await openKey(config);
  if (!keyring) return fail('master key', 'There is none.', 'Set PAYLINK_MASTER_KEY.');
  const remedy = 'Set PAYLINK_MASTER_KEY, or DATA_DIR, as for the service.';
  const keySet = await fetchKeySet(config.baseUrl);
  if (keySet?.keys)
    return keySet.keys.some(({ kid }) => kid === keyring.jwks.keys[0]?.kid)
      ? ok('master key', `the same as that of the service at ${config.baseUrl}`)
      : fail('master key', `The service at ${config.baseUrl} uses another master key.`, remedy);
  const stored = accountOf(await readProfile(env, profileName(env, undefined)));
  if (stored?.url !== config.baseUrl)
    return ok('master key', 'present, but there is nothing to compare it with');
  return parseApiKey(keyring, stored.apiKey)
    ? ok('master key', 'matches the API key of your login')
    : fail('master key', 'It does not match the API key of your login.', remedy);
}

export function checkOldKey(config: Config): CheckResult | null {
  const hasOldFile = !config.masterKey && existsSync(keyFilesOf(config).old);
  if (!config.oldMasterKey && !hasOldFile) return null;
  return warn(
    'old master key',
    'It is still valid: the change of the master key is not complete.',
    'Follow "Changing the master key" in docs/operations.md until you have removed it.',
  );
}

const responseTimeoutMs = 3_000;

/** Whether a host of a URL is this machine. */
export const isLoopback = (host: string) =>
  host === 'localhost' || host === '[::1]' || host.startsWith('127.');

/** Whether BASE_URL resolves and leads to a ready service. */
export async function checkAddress({ baseUrl }: Config): Promise<CheckResult[]> {
  const url = new URL(baseUrl);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const findings: CheckResult[] = [];
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    findings.push(
      warn('BASE_URL', `${baseUrl} is not encrypted.`, 'Use a proxy with TLS and an https address.'),
    );
  if (isIP(host) === 0) {
    const address = await lookup(host).catch((error: unknown) => reasonOf(error));
    if (typeof address === 'string')
      return [
        ...findings,
        fail('BASE_URL', `${host} has no address (${address}).`, 'Correct the DNS entry, or BASE_URL.'),
      ];
  }
  return [...findings, await queryReadiness(baseUrl)];
}

async function queryReadiness(baseUrl: string): Promise<CheckResult> {
  try {
    const signal = AbortSignal.timeout(responseTimeoutMs);
    const response = await fetch(`${baseUrl}/readyz`, { signal });
    const body = (await response.json().catch(() => null)) as { status?: unknown; detail?: unknown } | null;
    if (response.ok && body?.status === 'ready') return ok('BASE_URL', `${baseUrl} is ready`);
    if (response.status === 503)
      return fail('BASE_URL', `${baseUrl} is not ready: ${String(body?.detail ?? '')}`, 'See its log.');
    return fail(
      'BASE_URL',
      `${baseUrl}/readyz returned ${response.status}, unlike Paylink.`,
      'Check that BASE_URL and the proxy lead to this service.',
    );
  } catch (error) {
    return warn(
      'BASE_URL',
      `${baseUrl} does not respond (${reasonOf(error)}).`,
      'Start the service. If it is running, check that BASE_URL leads to it.',
    );
  }
}

/** Whether the proxy is listed. Otherwise all clients share one rate limit. */
export function checkProxies({ baseUrl, host, trustedProxies }: Config): CheckResult {
  if (trustedProxies.length > 0) return ok('proxies', `trusted: ${trustedProxies.join(', ')}`);
  // Paylink does not terminate TLS, so there must be a proxy.
  if (baseUrl.startsWith('https:'))
    return warn(
      'proxies',
      'BASE_URL is https, so there is a proxy, but none is listed: all clients share its rate limits.',
      'Set TRUSTED_PROXIES to its address.',
    );
  return ok('proxies', `none is trusted; the service listens on ${host}`);
}

/** Whether test webhooks may reach this machine, which a public service must not allow. */
export function checkLoopback({ baseUrl, webhooksAllowLoopback }: Config): CheckResult | null {
  if (!webhooksAllowLoopback) return null;
  if (!baseUrl.startsWith('https:')) return ok('webhooks', 'test webhooks may go to this machine');
  return warn(
    'webhooks',
    'BASE_URL is https, and anyone with a test key can have requests sent to programs on this machine.',
    'Unset WEBHOOKS_ALLOW_LOOPBACK: it is only for development.',
  );
}
