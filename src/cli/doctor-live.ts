// What `paylink doctor --live` finds out beyond the other checks: whether real money can be taken, by the service as it
// is set up and by each company. Processors are asked whether credentials hold, and nothing else. It must never
// change anything, nor print a credential.

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

/** What is only worth a look for a trial, and has to be mended before money is real. */
const neededLive: ReadonlySet<string> = new Set(['BASE_URL', 'database', 'durability', 'mail', 'migrations']);

/** The findings of the other checks, by the measure of live mode. */
export function applyLiveSeverity(findings: readonly CheckResult[]): CheckResult[] {
  return findings.map((finding) =>
    finding.state === 'warn' && neededLive.has(finding.check) ? { ...finding, state: 'fail' } : finding,
  );
}

/** Whether the settings allow live mode at all. */
export function checkLiveSettings({ baseUrl, databaseUrl, smtp }: Config): CheckResult[] {
  return [
    baseUrl.startsWith('https:')
      ? ok('live: address', baseUrl)
      : fail('live: address', `${baseUrl} is not https.`, 'Set BASE_URL to an address with https.'),
    databaseUrl
      ? ok('live: database', 'a PostgreSQL server, and the master key from the settings')
      : fail(
          'live: database',
          'The embedded database is for trials.',
          'Set DATABASE_URL and PAYLINK_MASTER_KEY.',
        ),
    smtp
      ? ok('live: mail', 'a server is set')
      : fail('live: mail', 'Mails reach nobody: receipts, too.', 'Set SMTP_URL.'),
  ];
}

/** What a company has for live payments. */
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

/** Addresses for webhooks are made with payments, and nothing here begins one. */
const noProofs = {
  mac: () => {
    throw new Error('the doctor makes no address for webhooks');
  },
};

type LiveCheckDeps = { db: Database; processors: ProcessorRegistry; config: Config };

/** Looks from inside each company's wall: at one company, or at all that have anything live. */
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
    const mend = 'Make a live API key, log in with it, and connect a processor: see docs/operations.md.';
    return [fail('live: companies', 'None has a live API key or a live connection.', mend)];
  } finally {
    await db.close();
  }
}

async function checkNamedCompany(deps: LiveCheckDeps, companyId: string): Promise<CheckResult[]> {
  const live = await deps.db.inTenant({ companyId, mode: 'live' }, readLiveCompany);
  if (live) return await checkLiveCompany(deps, live);
  return [fail('live: companies', `There is no company ${companyId}.`, 'Take the id from a login.')];
}

async function checkLiveCompany(deps: LiveCheckDeps, live: LiveCompany): Promise<CheckResult[]> {
  const { companyId, name, hasKey, enabled } = live;
  const who = `live: ${companyId} (${name})`;
  const key = hasKey
    ? ok(who, 'has a live API key')
    : fail(who, 'has no live API key that is good.', 'paylink keys create --mode live');
  const passed: StoredConnection[] = [];
  const findings: CheckResult[] = [];
  for (const stored of enabled) {
    const finding = await checkOne(deps, stored, who);
    findings.push(finding);
    if (finding.state !== 'ok') continue;
    passed.push(stored);
    findings.push(...checkProcessorWebhooks(deps, stored, { who, counts: live.counts }));
  }
  return [key, ...findings, ...checkCurrencies(who, passed)];
}

const titleOf = (kind: ProcessorKind | undefined, { connectionId, processor, name }: StoredConnection) =>
  `${connectionId} "${name}" (${kind?.title ?? processor})`;

const findKind = ({ processors }: LiveCheckDeps, { processor }: StoredConnection) =>
  processors.kinds.find(({ name }) => name === processor);

/** Asks the processor of a connection whether its credentials hold. */
async function checkOne(deps: LiveCheckDeps, stored: StoredConnection, who: string): Promise<CheckResult> {
  const kind = findKind(deps, stored);
  const title = titleOf(kind, stored);
  const keys = readMasterKeys(deps.config);
  if (!kind || !keys)
    return fail(who, `${title} cannot be opened by this version.`, 'Run the version that made it.');
  try {
    const connection = toConnection(await openKeyring(keys.current, keys.old), stored);
    const checked = await checkWithTimeout(kind, connection);
    if (checked.kind === 'good') return ok(who, `${title}: the credentials hold, of ${checked.holder}`);
    const faults = checked.faults.map(({ field, detail }) => `${field}: ${detail}`).join(' ');
    return fail(who, `${title}: ${faults}`, `paylink processors change ${stored.connectionId} --ask NAME`);
  } catch (error) {
    const mend = `Look at the status page of ${kind.title} and at the way there; see that the master key is the one of the service.`;
    return fail(who, `${title} could not be asked (${reasonOf(error)}).`, mend);
  }
}

/** Whether webhooks of a connection have come, as far as that can be known from here. */
function checkProcessorWebhooks(
  deps: LiveCheckDeps,
  stored: StoredConnection,
  { who, counts }: { who: string; counts: readonly ProcessorWebhookCount[] },
): CheckResult[] {
  const kind = findKind(deps, stored);
  if (!kind?.readNotice) return [];
  const title = titleOf(kind, stored);
  const own = counts.filter(({ connectionId }) => connectionId === stored.connectionId);
  if (own.some(({ verdict }) => verdict !== 'forged'))
    return [ok(who, `${title}: its webhooks have come here`)];
  const mend = `Set ${processorWebhookUrl(deps.config.baseUrl, stored)} as the address of webhooks at ${kind.title}.`;
  if (own.length > 0)
    return [
      warn(who, `${title}: webhooks come, and none is signed as it should be.`, 'Mend the signing secret.'),
    ];
  return [warn(who, `${title}: no webhook has ever come.`, mend)];
}

/** Which currencies can be paid in. */
function checkCurrencies(who: string, passed: readonly StoredConnection[]): CheckResult[] {
  const taking = (currency: Currency) => passed.filter((stored) => stored.currencies.includes(currency));
  const mend = 'paylink processors connect PROCESSOR, with a login in live mode';
  if (passed.length === 0)
    return [fail(who, 'no connection that is on and whose credentials hold: nothing can be paid.', mend)];
  return currencies.map((currency) => {
    const names = taking(currency).map(({ name }) => name);
    return names.length > 0
      ? ok(who, `${currency} is taken by ${names.join(', then ')}`)
      : warn(who, `Nobody takes ${currency}: links in it cannot be paid.`, `${mend} --currency ${currency}`);
  });
}
