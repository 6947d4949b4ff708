// The field on which faults are tried: a database, the fake acquirer and the service, each a process of
// its own, with a merchant and a journal of what clients were told. It outlives every kill of the service.

import path from 'node:path';
import { type JournalLine, readJournal } from '../acquirer/journal.ts';
import { cardOf, type Script } from '../acquirer/scripts.ts';
import { fillCard, formsOf, type Page, visit } from '../harness/visitor.ts';
import { type FaultFixture, type Link, openFaultFixture, statusOf } from './fault-fixture.ts';
import { type Running, startProcess } from './processes.ts';

export { type Link, statusOf } from './fault-fixture.ts';

export type FaultRig = Omit<
  FaultFixture,
  'findFaults' | 'databaseUrl' | 'folder' | 'settingsFor' | 'judge' | 'note'
> & {
  /** Starts the service; what runs of it must have ended. Null when it died before it was ready. */
  start(options?: {
    crashAt?: string;
    plantedBug?: string;
    killAfterMs?: number;
    /** How long the service waits for an answer of the acquirer. */
    processorTimeoutMs?: number;
    /** Settings that are its own. */
    settings?: Record<string, string>;
  }): Promise<Running | null>;
  /** Starts another process of the service beside the first, with settings of its own. */
  startBeside(settings: Record<string, string>): Promise<Running | null>;
  /** Posts a card to an open link. Returns where that led, and notes what the customer was told. */
  pay(link: Link, script: Script): Promise<Page>;
  /** Pays by a good card, and says what the customer is told when all is settled. */
  payWell(link: Link): Promise<string | null>;
  /** Looks at a link as a customer who waits; notes what it told. */
  look(link: Link): Promise<Page>;
  refund(link: Link, amount?: number): Promise<{ refundId?: string; state?: string; error?: string }>;
  control(settings: {
    refusesQuestions?: boolean;
    refundScript?: Script;
    clockMs?: number | null;
  }): Promise<void>;
  acquirerJournal(): JournalLine[];
  /** Kills the acquirer and starts it again on its journal, at another port; the service must restart, too. */
  restartAcquirer(): Promise<void>;
  /** Waits, a while, until nothing is to be delivered any more; then asks the oracle. */
  findFaults(): Promise<string[]>;
};

export type FaultRigOptions = {
  /** The superuser's address of the cluster to be on; by default that of the whole run. */
  clusterUrl?: string;
  /** Leads the service to another port of this machine instead; the field itself goes straight. */
  reroute?: (to: 'database' | 'acquirer', port: number) => Promise<number>;
  /** Settings of every process of the service. */
  settings?: Record<string, string>;
};

/** Whether a page lets somebody pay. */
export function hasCardForm(page: Page): boolean {
  return formsOf(page).some((form) => form.inputs.some((input) => input.autocomplete === 'cc-number'));
}

/** The service's own way to its database. */
async function serviceUrlOf(url: string, { reroute }: FaultRigOptions): Promise<string> {
  const address = new URL(url);
  if (reroute) address.port = String(await reroute('database', Number(address.port)));
  return address.href;
}

/** What merchants and customers do on the field; everything that they are told is noted. */
function createClients(fixture: FaultFixture, controlPort: () => number) {
  const { judge, note } = fixture;
  const pay: FaultRig['pay'] = async (link, script) => {
    const page = judge(link.link, await visit(link.link));
    if (!hasCardForm(page)) return page;
    const { action, body } = fillCard(page, { number: cardOf(script) });
    return note(link, await visit(action, { method: 'POST', body }));
  };
  const refund: FaultRig['refund'] = async ({ code }, wanted) => {
    const order = { companyId: fixture.merchant.companyId, code, ...(wanted ? { amount: wanted } : {}) };
    const response = await fetch(`http://127.0.0.1:${controlPort()}/`, {
      method: 'POST',
      body: JSON.stringify(order),
    });
    const answer = (await response.json()) as { refundId?: string; state?: string; error?: string };
    if (answer.refundId)
      fixture.reported.push({ kind: 'refund', refundId: answer.refundId, state: answer.state ?? '' });
    return answer;
  };
  const look: FaultRig['look'] = async (link) => note(link, await visit(`${link.link}/wait`));
  const payWell: FaultRig['payWell'] = async (link) => {
    await pay(link, 'approve');
    // A busy machine may be slower than our patience with the acquirer.
    await fixture.settle();
    return statusOf(await look(link));
  };
  return { pay, payWell, refund, look };
}

/** Opens a field. `close` ends every process of it and removes what it wrote. */
export async function openFaultRig(options: FaultRigOptions = {}): Promise<FaultRig> {
  const fixture = await openFaultFixture(options);
  const journalFile = path.join(fixture.folder, 'acquirer.jsonl');
  let service: Running | null = null;
  /** Every run of the service: a test that fails may have started one that another test does not know of. */
  const started: (Running | null)[] = [];
  let acquirer: Running | null = null;
  const acquirerUrl = () => `http://127.0.0.1:${acquirer?.ready.port}`;
  let servicesAcquirerUrl = '';
  const startAcquirer = async () => {
    await acquirer?.kill();
    acquirer = await startProcess('../acquirer/acquirer.ts', { args: [journalFile] });
    const acquirerPort = acquirer?.ready.port ?? 0;
    const port = (await options.reroute?.('acquirer', acquirerPort)) ?? acquirerPort;
    servicesAcquirerUrl = `http://127.0.0.1:${port}`;
  };
  await startAcquirer();
  const settings = {
    ...fixture.settingsFor(await serviceUrlOf(fixture.databaseUrl, options)),
    ...options.settings,
  };
  const run = async (own: Record<string, string>, killAfterMs?: number) => {
    const running = await startProcess('spawned-app.ts', {
      env: { ...settings, ACQUIRER_URL: servicesAcquirerUrl, ...own },
      ...(killAfterMs === undefined ? {} : { killAfterMs }),
    });
    started.push(running);
    return running;
  };
  const acquirerJournal = () => readJournal(journalFile);
  return {
    ...fixture,
    ...createClients(fixture, () => service?.ready.doorPort ?? 0),
    start: async ({ crashAt, plantedBug, killAfterMs, processorTimeoutMs, settings: own = {} } = {}) => {
      await service?.kill();
      const env = { ...own };
      if (crashAt) Object.assign(env, { CRASH_AT: crashAt });
      if (plantedBug) Object.assign(env, { PLANTED_BUG: plantedBug });
      if (processorTimeoutMs) Object.assign(env, { ASK_TIMEOUT_MS: String(processorTimeoutMs) });
      service = await run(env, killAfterMs);
      return service;
    },
    startBeside: async (own) => await run(own),
    control: async (wanted) => {
      await fetch(`${acquirerUrl()}/control`, { method: 'POST', body: JSON.stringify(wanted) });
    },
    acquirerJournal,
    restartAcquirer: startAcquirer,
    findFaults: async () => await fixture.findFaults(acquirerJournal()),
    close: async () => {
      for (const run of started) await run?.kill();
      await acquirer?.kill();
      await fixture.close();
    },
  };
}
