// What `paylink doctor --live` finds out beyond the other checks: whether real money can be taken, by the service as it
// is set up and by each company. Processors are asked whether credentials hold, and nothing else. It must never
// change anything, nor print a credential.

import { findNewestApiKey } from '../api-keys/store.ts';
import { systemClock } from '../base/clock.ts';
import { openKeyring } from '../base/keyring.ts';
import { type Currency, currencies } from '../base/money.ts';
import { findCompany } from '../companies/store.ts';
import type { Config } from '../config.ts';
import { checkInTime } from '../connections/check-connection.ts';
import { toConnection } from '../connections/open-connection.ts';
import { noticeUrl } from '../connections/present-connection.ts';
import {
  listConnections,
  listNoticeCounts,
  type NoticeCount,
  type StoredConnection,
} from '../connections/store.ts';
import type { Database, TenantTx } from '../db/database.ts';
import { everyCompany } from '../every-company.ts';
import { readMasterKeys } from '../master-key.ts';
import type { ProcessorKind, Processors } from '../processors/processor.ts';
import { createProcessors } from '../processors/registry.ts';
import { reasonOf } from './client.ts';
import { type Finding, fail, ok, warn } from './doctor-checks.ts';
import { openAny } from './settings.ts';

/** What is only worth a look for a trial, and has to be mended before money is real. */
const neededLive: ReadonlySet<string> = new Set(['BASE_URL', 'database', 'durability', 'mail', 'migrations']);

/** The findings of the other checks, by the measure of live mode. */
export function hardenFindings(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) =>
    finding.state === 'warn' && neededLive.has(finding.check) ? { ...finding, state: 'fail' } : finding,
  );
}

/** Whether the settings allow live mode at all. */
export function checkLiveSettings({ baseUrl, databaseUrl, smtp }: Config): Finding[] {
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
type LiveSide = {
  companyId: string;
  name: string;
  hasKey: boolean;
  enabled: StoredConnection[];
  counts: NoticeCount[];
};

async function readLiveSide(tx: TenantTx): Promise<LiveSide | null> {
  const company = await findCompany(tx);
  if (!company) return null;
  const key = await findNewestApiKey(tx, 'live', systemClock.now());
  const connections = await listConnections(tx, 'live');
  return {
    companyId: tx.companyId,
    name: company.name,
    hasKey: key !== null,
    enabled: connections.filter(({ isEnabled }) => isEnabled),
    counts: await listNoticeCounts(tx),
  };
}

/** Addresses for webhooks are made with payments, and nothing here begins one. */
const noProofs = {
  mac: () => {
    throw new Error('the doctor makes no address for webhooks');
  },
};

type LiveDeps = { db: Database; processors: Processors; config: Config };

/** Looks from inside each company's wall: at one company, or at all that have anything live. */
export async function checkLiveCompanies(config: Config, companyId: string | undefined): Promise<Finding[]> {
  const db = await openAny(config);
  const processors = createProcessors({
    db,
    clock: systemClock,
    baseUrl: config.baseUrl,
    tell: async () => undefined,
    apiUrls: config.processorUrls,
    keyring: noProofs,
  });
  try {
    const deps = { db, processors, config };
    if (companyId !== undefined) return await checkNamed(deps, companyId);
    const findings: Finding[] = [];
    for await (const id of everyCompany(db)) {
      const side = await db.inTenant({ companyId: id, mode: 'live' }, readLiveSide);
      if (side && (side.hasKey || side.enabled.length > 0)) findings.push(...(await checkSide(deps, side)));
    }
    if (findings.length > 0) return findings;
    const mend = 'Make a live API key, log in with it, and connect a processor: see docs/operations.md.';
    return [fail('live: companies', 'None has a live API key or a live connection.', mend)];
  } finally {
    await db.close();
  }
}

async function checkNamed(deps: LiveDeps, companyId: string): Promise<Finding[]> {
  const side = await deps.db.inTenant({ companyId, mode: 'live' }, readLiveSide);
  if (side) return await checkSide(deps, side);
  return [fail('live: companies', `There is no company ${companyId}.`, 'Take the id from a login.')];
}

async function checkSide(deps: LiveDeps, side: LiveSide): Promise<Finding[]> {
  const { companyId, name, hasKey, enabled } = side;
  const who = `live: ${companyId} (${name})`;
  const key = hasKey
    ? ok(who, 'has a live API key')
    : fail(who, 'has no live API key that is good.', 'paylink keys create --mode live');
  const passed: StoredConnection[] = [];
  const findings: Finding[] = [];
  for (const stored of enabled) {
    const finding = await checkOne(deps, stored, who);
    findings.push(finding);
    if (finding.state !== 'ok') continue;
    passed.push(stored);
    findings.push(...checkNotices(deps, stored, { who, counts: side.counts }));
  }
  return [key, ...findings, ...checkCurrencies(who, passed)];
}

const titleOf = (kind: ProcessorKind | undefined, { connectionId, processor, name }: StoredConnection) =>
  `${connectionId} "${name}" (${kind?.title ?? processor})`;

const findKind = ({ processors }: LiveDeps, { processor }: StoredConnection) =>
  processors.kinds.find(({ name }) => name === processor);

/** Asks the processor of a connection whether its credentials hold. */
async function checkOne(deps: LiveDeps, stored: StoredConnection, who: string): Promise<Finding> {
  const kind = findKind(deps, stored);
  const title = titleOf(kind, stored);
  const keys = readMasterKeys(deps.config);
  if (!kind || !keys)
    return fail(who, `${title} cannot be opened by this version.`, 'Run the version that made it.');
  try {
    const connection = toConnection(await openKeyring(keys.current, keys.old), stored);
    const checked = await checkInTime(kind, connection);
    if (checked.kind === 'good') return ok(who, `${title}: the credentials hold, of ${checked.holder}`);
    const faults = checked.faults.map(({ field, detail }) => `${field}: ${detail}`).join(' ');
    return fail(who, `${title}: ${faults}`, `paylink processors change ${stored.connectionId} --ask NAME`);
  } catch (error) {
    const mend = `Look at the status page of ${kind.title} and at the way there; see that the master key is the one of the service.`;
    return fail(who, `${title} could not be asked (${reasonOf(error)}).`, mend);
  }
}

/** Whether webhooks of a connection have come, as far as that can be known from here. */
function checkNotices(
  deps: LiveDeps,
  stored: StoredConnection,
  { who, counts }: { who: string; counts: readonly NoticeCount[] },
): Finding[] {
  const kind = findKind(deps, stored);
  if (!kind?.readNotice) return [];
  const title = titleOf(kind, stored);
  const own = counts.filter(({ connectionId }) => connectionId === stored.connectionId);
  if (own.some(({ verdict }) => verdict !== 'forged'))
    return [ok(who, `${title}: its webhooks have come here`)];
  const mend = `Set ${noticeUrl(deps.config.baseUrl, stored)} as the address of webhooks at ${kind.title}.`;
  if (own.length > 0)
    return [
      warn(who, `${title}: webhooks come, and none is signed as it should be.`, 'Mend the signing secret.'),
    ];
  return [warn(who, `${title}: no webhook has ever come.`, mend)];
}

/** Which currencies can be paid in. */
function checkCurrencies(who: string, passed: readonly StoredConnection[]): Finding[] {
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
