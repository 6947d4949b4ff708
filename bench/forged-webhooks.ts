// Paying during a flood of forged processor webhooks: the time of the form post without and with the flood.
// Must not: count a payment that did not succeed.

import { setTimeout as sleep } from 'node:timers/promises';
import { newConnectionId } from '../src/base/ids.ts';
import { openKeyring } from '../src/base/keyring.ts';
import { issueFormToken } from '../src/checkout/form-token.ts';
import { encryptCredentials } from '../src/connections/open-connection.ts';
import { testCsc } from '../test/harness/paylink.ts';
import { makeLinks } from './fill.ts';
import type { Forged, ForgerOrder } from './forger-process.ts';
import type { BenchEnvironment } from './measure.ts';
import { startHelper } from './spawn-child.ts';

export type WebhookFloodResult = {
  perSecond: number;
  statuses: Readonly<Record<string, number>>;
  alone: { p50Ms: number; p99Ms: number };
  beside: { p50Ms: number; p99Ms: number };
};

export const forgedPerSecond = 1_500;

/** So few that they do not wait for each other. */
const paymentsPerSecond = 20;
const warmUpPayments = 40;

/** Connects the company of the environment with Stripe, bypassing the API, so that Stripe is not called. */
async function connectStripe({ bench, companyId, masterKey }: BenchEnvironment): Promise<string> {
  const connectionId = newConnectionId(companyId);
  const keyring = await openKeyring(masterKey);
  const credentials = { secretKey: 'sk_test_none', webhookSecret: 'whsec_ofTheBench' };
  const sealed = encryptCredentials(keyring, { companyId, connectionId }, credentials);
  await bench.admin.query(
    `insert into connections (company_id, connection_id, processor, mode, name, holder, account, currencies, position,
                              is_enabled, sealed, key_id, created_by, created_at, updated_at)
     values ($1, $2, 'stripe', 'test', 'Stripe', 'Bench', 'acct_1', '{EUR}', 9, false, $3, $4, 'bench', now(), now())`,
    [companyId, connectionId, sealed, keyring.keyId],
  );
  return connectionId;
}

async function payOne(url: string, code: string, token: string): Promise<number> {
  const body = new URLSearchParams({
    ...{ form_token: token, cc_name: 'Ada Lovelace', cc_number: '4242 4242 4242 4242' },
    ...{ cc_exp: '12/34', cc_csc: testCsc },
  });
  const startedAt = performance.now();
  const response = await fetch(`${url}/pay/${code}`, { method: 'POST', body, redirect: 'manual' });
  await response.arrayBuffer();
  const tookMs = performance.now() - startedAt;
  if (response.status !== 303) throw new Error(`a payment was answered with status ${response.status}`);
  return tookMs;
}

const quantile = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

/** Pays links at a constant rate, however long each takes. */
async function payMany(stand: BenchEnvironment, count: number): Promise<{ p50Ms: number; p99Ms: number }> {
  const codes = await makeLinks(stand.bench, stand.companyId, { first: stand.nextLink, count });
  stand.nextLink += count;
  const keyring = await openKeyring(stand.masterKey);
  const startedAt = performance.now();
  const paying: Promise<number>[] = [];
  for (const [index, code] of codes.entries()) {
    const dueMs = (index * 1000) / paymentsPerSecond - (performance.now() - startedAt);
    if (dueMs > 0) await sleep(dueMs);
    paying.push(payOne(stand.service.url, code, issueFormToken(keyring, code, new Date())));
  }
  const sorted = (await Promise.all(paying)).sort((a, b) => a - b);
  return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) };
}

/** Measures paying without and with the flood, for this many seconds each. */
export async function measureForgedWebhooks(
  stand: BenchEnvironment,
  seconds: number,
): Promise<WebhookFloodResult> {
  const connectionId = await connectStripe(stand);
  const forger = await startHelper('forger-process.ts');
  const count = paymentsPerSecond * seconds;
  try {
    await payMany(stand, warmUpPayments);
    const alone = await payMany(stand, count);
    const { companyId } = stand;
    const order: ForgerOrder = {
      url: stand.service.url,
      ...{ companyId, connectionId, perSecond: forgedPerSecond },
    };
    const startedAt = performance.now();
    await fetch(forger.url, { method: 'POST', body: JSON.stringify(order) });
    const beside = await payMany(stand, count);
    const { statuses } = (await (await fetch(forger.url, { method: 'DELETE' })).json()) as Forged;
    const tookSeconds = (performance.now() - startedAt) / 1000;
    const answered = Object.values(statuses).reduce((sum, one) => sum + one, 0);
    return { perSecond: answered / tookSeconds, statuses, alone, beside };
  } finally {
    await forger.stop();
  }
}
