// The checks of `paylink doctor --live`. Must not: change anything, or print a credential.

import { findNewestApiKey } from '../api-keys/store.ts';
import { systemClock } from '../base/clock.ts';
import { openKeyring } from '../base/keyring.ts';
import { type Currency, currencies } from '../base/money.ts';
import { findCompany } from '../companies/store.ts';
import type { Config } from '../config.ts';
import { checkWithTimeout } from '../connections/check-connection.ts';
import { toConnection } from '../connections/open-connection.ts';
import { processorWebhookUrl } from '../connections/present-connection.ts';
import {
  listConnections,
  listProcessorWebhookCounts,
  type ProcessorWebhookCount,
  type StoredConnection,
} from '../connections/store.ts';
import type { Database, TenantTx } from '../db/database.ts';
import { iterateCompanies } from '../iterate-companies.ts';
import { readMasterKeys } from '../master-key.ts';
import type { ProcessorKind, ProcessorRegistry } from '../processors/processor.ts';
import { createProcessors } from '../processors/registry.ts';
import { reasonOf } from './client.ts';
import { type CheckResult, fail, ok, warn } from './doctor-checks.ts';
import { openOrCreate } from './settings.ts';

/** The checks whose warnings are failures for live payments. */
const requiredForLive: ReadonlySet<string> = new Set([
  'BASE_URL',
  'database',
  'durability',
  'mail',
  'migrations',
]);

export function applyLiveSeverity(findings: readonly CheckResult[]): CheckResult[] {
  return findings.map((finding) =>
    finding.state === 'warn' && requiredForLive.has(finding.check) ? { ...finding, state: 'fail' } : finding,
  );
}

/** Whether the settings allow live mode at all. */
export function checkLiveSettings({ baseUrl, databaseUrl, smtp }: Config): CheckResult[] {
  return [
    baseUrl.startsWith('https:')
      ? ok('live: address', baseUrl)
      : fail('live: address', `${baseUrl} is not https.`, 'Set BASE_URL to an address with https.'),
    databaseUrl
      ? ok('live: database', 'a PostgreSQL server, with the master key in the settings')
      : fail(
          'live: database',
          'The embedded database is only for trials.',
          'Set DATABASE_URL and PAYLINK_MASTER_KEY.',
        ),
    smtp
      ? ok('live: mail', 'a server is set')
      : fail('live: mail', 'Emails, such as receipts, are not sent.', 'Set SMTP_URL.'),
  ];
}

type LiveCompany = {
  companyId: string;
  name: string;
  hasKey: boolean;
  enabled: StoredConnection[];
  counts: ProcessorWebhookCount[];
};

async function readLiveCompany(tx: TenantTx): Promise<LiveCompany | null> {
  const company = await findCompany(tx);
  if (!company) return null;
  const key = await findNewestApiKey(tx, 'live', systemClock.now());
  const connections = await listConnections(tx, 'live');
  return {
    companyId: tx.companyId,
    name: company.name,
    hasKey: key !== null,
    enabled: connections.filter(({ isEnabled }) => isEnabled),
    counts: await listProcessorWebhookCounts(tx),
  };
}

/** Only payments need proofs, and these checks begin none. */
const noProofs = {
  mac: () => {
    throw new Error('the doctor creates no proofs');
  },
};

type LiveCheckDeps = { db: Database; processors: ProcessorRegistry; config: Config };

/** Checks one company, or all with a live key or connection. */
export async function checkLiveCompanies(
  config: Config,
  companyId: string | undefined,
): Promise<CheckResult[]> {
  const db = await openOrCreate(config);
  const processors = createProcessors({
    db,
    clock: systemClock,
    baseUrl: config.baseUrl,
    reportOutcome: async () => undefined,
    apiUrls: config.processorUrls,
    keyring: noProofs,
  });
  try {
    const deps = { db, processors, config };
    if (companyId !== undefined) return await checkNamedCompany(deps, companyId);
    const findings: CheckResult[] = [];
    for await (const id of iterateCompanies(db)) {
      const live = await db.inTenant({ companyId: id, mode: 'live' }, readLiveCompany);
      if (live && (live.hasKey || live.enabled.length > 0))
        findings.push(...(await checkLiveCompany(deps, live)));
    }
    if (findings.length > 0) return findings;
    const mend = 'Create a live API key, log in with it, and connect a processor: see docs/operations.md.';
    return [fail('live: companies', 'No company has a live API key or a live connection.', mend)];
  } finally {
    await db.close();
  }
}

async function checkNamedCompany(deps: LiveCheckDeps, companyId: string): Promise<CheckResult[]> {
  const live = await deps.db.inTenant({ companyId, mode: 'live' }, readLiveCompany);
  if (live) return await checkLiveCompany(deps, live);
  return [fail('live: companies', `There is no company ${companyId}.`, 'Take the ID from a login.')];
}

async function checkLiveCompany(deps: LiveCheckDeps, live: LiveCompany): Promise<CheckResult[]> {
  const { companyId, name, hasKey, enabled } = live;
  const label = `live: ${companyId} (${name})`;
  const key = hasKey
    ? ok(label, 'has a live API key')
    : fail(label, 'has no valid live API key.', 'paylink keys create --mode live');
  const passed: StoredConnection[] = [];
  const findings: CheckResult[] = [];
  for (const stored of enabled) {
    const finding = await checkStoredConnection(deps, stored, label);
    findings.push(finding);
    if (finding.state !== 'ok') continue;
    passed.push(stored);
    findings.push(...checkProcessorWebhooks(deps, stored, { label, counts: live.counts }));
  }
  return [key, ...findings, ...checkCurrencies(label, passed)];
}

const titleOf = (kind: ProcessorKind | undefined, { connectionId, processor, name }: StoredConnection) =>
  `${connectionId} "${name}" (${kind?.title ?? processor})`;

const findKind = ({ processors }: LiveCheckDeps, { processor }: StoredConnection) =>
  processors.kinds.find(({ name }) => name === processor);

async function checkStoredConnection(
  deps: LiveCheckDeps,
  stored: StoredConnection,
  label: string,
): Promise<CheckResult> {
  const kind = findKind(deps, stored);
  const title = titleOf(kind, stored);
  const keys = readMasterKeys(deps.config);
  if (!kind || !keys)
    return fail(label, `${title} cannot be opened by this version.`, 'Run the version that created it.');
  try {
    const connection = toConnection(await openKeyring(keys.current, keys.old), stored);
    const checked = await checkWithTimeout(kind, connection);
    if (checked.kind === 'good')
      return ok(label, `${title}: the credentials are valid, of ${checked.holder}`);
    const faults = checked.faults.map(({ field, detail }) => `${field}: ${detail}`).join(' ');
    return fail(label, `${title}: ${faults}`, `paylink processors change ${stored.connectionId} --ask NAME`);
  } catch (error) {
    const mend = `Check the status page of ${kind.title}, the network, and that the master key is that of the service.`;
    return fail(label, `${title} could not be checked (${reasonOf(error)}).`, mend);
  }
}

/** Whether valid webhooks of a connection have arrived. */
function checkProcessorWebhooks(
  deps: LiveCheckDeps,
  stored: StoredConnection,
  { label, counts }: { label: string; counts: readonly ProcessorWebhookCount[] },
): CheckResult[] {
  const kind = findKind(deps, stored);
  if (!kind?.readNotice) return [];
  const title = titleOf(kind, stored);
  const own = counts.filter(({ connectionId }) => connectionId === stored.connectionId);
  if (own.some(({ verdict }) => verdict !== 'forged')) return [ok(label, `${title}: its webhooks arrive`)];
  const mend = `Set ${processorWebhookUrl(deps.config.baseUrl, stored)} as the webhook URL at ${kind.title}.`;
  if (own.length > 0)
    return [
      warn(
        label,
        `${title}: webhooks arrive, but none has a valid signature.`,
        'Correct the signing secret.',
      ),
    ];
  return [warn(label, `${title}: no webhook has ever arrived.`, mend)];
}

function checkCurrencies(label: string, passed: readonly StoredConnection[]): CheckResult[] {
  const taking = (currency: Currency) => passed.filter((stored) => stored.currencies.includes(currency));
  const mend = 'paylink processors connect PROCESSOR, with a login in live mode';
  if (passed.length === 0)
    return [fail(label, 'no enabled connection has valid credentials: nothing can be paid.', mend)];
  return currencies.map((currency) => {
    const names = taking(currency).map(({ name }) => name);
    return names.length > 0
      ? ok(label, `${currency} is accepted by ${names.join(', then ')}`)
      : warn(
          label,
          `No connection accepts ${currency}: links in ${currency} cannot be paid.`,
          `${mend} --currency ${currency}`,
        );
  });
}
