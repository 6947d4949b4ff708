// Measures one scenario: runs it, and reads what the service and PostgreSQL used. Must not: return figures
// unless the database contains exactly what was acknowledged.

import { PlainFault } from '../scripts/toolchain.mjs';
import { openKeyring } from '../src/base/keyring.ts';
import { issueFormToken } from '../src/checkout/form-token.ts';
import { logIn } from '../test/harness/client.ts';
import { type BenchDatabase, countRowsWritten, type RowsWritten, readCounters } from './database.ts';
import type { LoadResult } from './figures.ts';
import { makeLinks } from './fill.ts';
import { cpuSeconds, processTreeMb, watchUntilIdle } from './process-usage.ts';
import { ownerEmail, type PaylinkService } from './run-paylink.ts';
import { type BenchScenario, type LoadTarget, type ScenarioRequest, scenariosFor } from './scenarios.ts';
import { type BenchTools, type LoadPlan, type PayLink, runWrk } from './wrk.ts';

export type Measurement = {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  answered: number;
  /** Links and payments for each second until all work on them was finished, emails included; null without any. */
  finishedPerSecond: number | null;
  written: RowsWritten;
  serviceCpuSeconds: number;
  postgresCpuSeconds: number;
  serviceMb: number;
  postgresMb: number;
  /** Per created or paid payment; null without any. */
  rowsPerPayment: number | null;
  walBytesPerPayment: number | null;
  walBytes: number;
};

export type BenchEnvironment = {
  tools: BenchTools;
  bench: BenchDatabase;
  service: PaylinkService;
  companyId: string;
  masterKey: Buffer;
  views: readonly string[];
  nextLink: number;
  filled: number;
  /** Restarts the service; runs `whileStopped` while it is stopped. */
  restart(whileStopped?: () => Promise<void>): Promise<void>;
};

/** More links than can be paid in a second. The rest stay open and disturb nothing. */
const linksPerSecond = 1_000;

/** A target with credentials that are valid for the next hour. */
export async function createTarget({ service }: Pick<BenchEnvironment, 'service'>): Promise<LoadTarget> {
  const merchant = { companyId: '', accountId: '', email: ownerEmail };
  const credentials = await logIn({ baseUrl: service.url, merchant });
  return { host: service.host, credentials };
}

async function makePayLinks(
  stand: BenchEnvironment,
  { requests, cycle }: BenchScenario,
  seconds: number,
): Promise<PayLink[]> {
  const paying = cycle.filter((index) => requests[index]?.writes === 'paid').length / cycle.length;
  // In the mixed scenario few requests are payments, but there are more requests in total.
  const count = Math.ceil(Math.sqrt(paying) * linksPerSecond * (seconds + 1));
  if (count === 0) return [];
  const codes = await makeLinks(stand.bench, stand.companyId, { first: stand.nextLink, count });
  stand.nextLink += count;
  const keyring = await openKeyring(stand.masterKey);
  const now = new Date();
  return codes.map((code) => ({ code, token: issueFormToken(keyring, code, now) }));
}

/** The number of acknowledged requests: every response was right, so it is the number sent. */
function acknowledged(requests: readonly ScenarioRequest[], driven: LoadResult): RowsWritten {
  const sum: RowsWritten = { links: 0, paid: 0, sessions: 0 };
  for (const [index, { writes }] of requests.entries()) if (writes) sum[writes] += driven.sent[index] ?? 0;
  return sum;
}

function checkWritten(expected: RowsWritten, before: RowsWritten, after: RowsWritten): void {
  for (const name of ['links', 'paid', 'sessions'] as const) {
    const there = after[name] - before[name];
    if (there !== expected[name])
      throw new PlainFault(`${expected[name]} ${name} were acknowledged, and ${there} are in the database`);
  }
}

async function readAll({ bench, service, companyId }: BenchEnvironment) {
  return {
    ...(await readCounters(bench, companyId)),
    serviceCpu: cpuSeconds(service.pid),
    postgresCpu: cpuSeconds(bench.postmasterPid),
  };
}

/** Runs a plan and reads its usage. `requests` has what each template writes. */
export async function measurePlan(
  stand: BenchEnvironment,
  requests: readonly ScenarioRequest[],
  plan: Omit<LoadPlan, 'templates'>,
): Promise<Measurement> {
  const { tools, bench, service } = stand;
  // No order of this run exists yet: only the totals count.
  const written = await countRowsWritten(bench, '~');
  const before = await readAll(stand);
  const driving = runWrk(tools, service.url, { ...plan, templates: requests });
  // Background work, such as emails, belongs to this scenario and must not fall into the next.
  const { result: driven, mostMb, seconds } = await watchUntilIdle(service.pid, driving);
  const after = await readAll(stand);
  const sum = acknowledged(requests, driven);
  checkWritten(sum, written, await countRowsWritten(bench, driven.run));
  const payments = sum.links + sum.paid;
  const walBytes = after.walBytes - before.walBytes;
  const perPayment = (total: number) => (payments === 0 ? null : total / payments);
  const { perSecond, p50Ms, p99Ms, answered } = driven;
  return {
    perSecond,
    p50Ms,
    p99Ms,
    answered,
    finishedPerSecond: payments === 0 ? null : payments / seconds,
    written: sum,
    serviceCpuSeconds: after.serviceCpu - before.serviceCpu,
    postgresCpuSeconds: after.postgresCpu - before.postgresCpu,
    serviceMb: mostMb,
    postgresMb: processTreeMb(bench.postmasterPid),
    rowsPerPayment: perPayment(after.rows - before.rows + sum.links),
    walBytesPerPayment: perPayment(walBytes),
    walBytes,
  };
}

/** Measures a scenario by name, with its own number of connections unless another is given. */
export async function measureScenario(
  stand: BenchEnvironment,
  name: string,
  options: { seconds: number; connections?: number },
): Promise<Measurement> {
  const { seconds } = options;
  const scenario = scenariosFor(await createTarget(stand)).find((each) => each.name === name);
  if (!scenario) throw new Error(`there is no scenario ${name}`);
  const { requests, cycle } = scenario;
  const { connections = scenario.connections } = options;
  const pays = await makePayLinks(stand, scenario, seconds);
  return await measurePlan(stand, requests, { cycle, connections, seconds, views: stand.views, pays });
}
