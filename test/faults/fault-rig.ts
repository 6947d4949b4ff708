// The rig for faults with the fake acquirer: a database, the acquirer and the service, each a process, with one merchant
// and a journal of responses to clients. It survives every kill of the service.

import path from 'node:path';
import { type JournalLine, readJournal } from '../acquirer/journal.ts';
import { cardOf, type Script } from '../acquirer/scripts.ts';
import { fillCard, formsOf, type Page, visit } from '../harness/visitor.ts';
import { type FaultFixture, type Link, openFaultFixture, statusOf } from './fault-fixture.ts';
import { type Running, startProcess } from './processes.ts';

export { type Link, statusOf } from './fault-fixture.ts';

export type FaultRig = Omit<
  FaultFixture,
  'findFaults' | 'databaseUrl' | 'folder' | 'settingsFor' | 'checkResponse' | 'note'
> & {
  /** Kills the service if it runs, and starts it. Null if it died before it was ready. */
  start(options?: {
    crashAt?: string;
    plantedBug?: string;
    killAfterMs?: number;
    /** How long the service waits for a response of the acquirer. */
    processorTimeoutMs?: number;
    /** Settings of this process only. */
    settings?: Record<string, string>;
  }): Promise<Running | null>;
  /** Starts another process of the service, with its own settings. */
  startBeside(settings: Record<string, string>): Promise<Running | null>;
  /** Posts a card to an open link. Records the shown status, and returns the resulting page. */
  pay(link: Link, script: Script): Promise<Page>;
  /** Pays with an approved card, and returns the status shown once everything is settled. */
  payWell(link: Link): Promise<string | null>;
  /** Opens a link's waiting page, and records the shown status. */
  look(link: Link): Promise<Page>;
  refund(link: Link, amount?: number): Promise<{ refundId?: string; state?: string; error?: string }>;
  control(settings: {
    refusesQuestions?: boolean;
    refundScript?: Script;
    clockMs?: number | null;
  }): Promise<void>;
  acquirerJournal(): JournalLine[];
  /** Restarts the acquirer on its journal, at another port. Restart the service afterwards. */
  restartAcquirer(): Promise<void>;
  /** Waits for pending deliveries, up to a limit, then runs the oracle. */
  findFaults(): Promise<string[]>;
};

export type FaultRigOptions = {
  /** The superuser's address of a cluster; the shared one by default. */
  clusterUrl?: string;
  /** Returns the port that the service uses instead, such as a proxy's. The rig itself connects directly. */
  reroute?: (to: 'database' | 'acquirer', port: number) => Promise<number>;
  /** Settings of every process of the service. */
  settings?: Record<string, string>;
};

export function hasCardForm(page: Page): boolean {
  return formsOf(page).some((form) => form.inputs.some((input) => input.autocomplete === 'cc-number'));
}

/** The database address that the service uses. */
async function serviceUrlOf(url: string, { reroute }: FaultRigOptions): Promise<string> {
  const address = new URL(url);
  if (reroute) address.port = String(await reroute('database', Number(address.port)));
  return address.href;
}

/** The actions of merchants and customers. Responses to them are recorded. */
function createClients(fixture: FaultFixture, controlPort: () => number) {
  const { checkResponse, note } = fixture;
  const pay: FaultRig['pay'] = async (link, script) => {
    const page = checkResponse(link.link, await visit(link.link));
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
    for (let left = 5; ; left--) {
      await pay(link, 'approve');
      // On a busy machine the request may time out; then the job settles the attempt.
      await fixture.settle();
      const page = await look(link);
      // If it timed out before the acquirer read it, the link is open again.
      if (left === 1 || !hasCardForm(page)) return statusOf(page);
    }
  };
  return { pay, payWell, refund, look };
}

/** Opens a rig. `close` ends its processes and removes their files. */
export async function openFaultRig(options: FaultRigOptions = {}): Promise<FaultRig> {
  const fixture = await openFaultFixture(options);
  const journalFile = path.join(fixture.folder, 'acquirer.jsonl');
  let service: Running | null = null;
  /** All processes started, so that `close` also ends those of failed tests. */
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
    ...createClients(fixture, () => service?.ready.controlPort ?? 0),
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
