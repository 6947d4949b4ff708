// The rig for faults with live processors: a database, the fakes and the service, each a process, and one merchant who
// offers every processor. Fakes keep running when the service is killed.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChargeLine, JournalLine, RefundLine } from '../acquirer/journal.ts';
import { type Credentials, call, type Json } from '../harness/client.ts';
import { chooseMethod, methodsOf, noCards } from '../harness/payment-methods.ts';
import { type Page, visit } from '../harness/visitor.ts';
import type { MoneyLine } from '../processors/kit/control.ts';
import { type Connected, connect, leadOf, settingsOf, startFakes, stopFakes } from '../processors/live.ts';
import { type FaultFixture, type Link, openFaultFixture } from './fault-fixture.ts';
import { type Running, startProcess } from './processes.ts';

export type LiveFaultRig = Pick<
  FaultFixture,
  'db' | 'reported' | 'invalidResponses' | 'createLink' | 'statesOf' | 'makeDue'
> & {
  /** Every live processor, in the order in which the merchant offers them. */
  processors: readonly Connected[];
  credentials: Credentials;
  /** Kills the service if it runs, and starts it. It dies when `crashCount` keys have reached `crashAt`. */
  start(options?: {
    crashAt?: string;
    crashCount?: number;
    plantedBug?: string;
    /** How long the service waits for a response of a processor. */
    processorTimeoutMs?: number;
  }): Promise<Running>;
  /** Chooses a processor at an open link. Records the shown status, and returns the resulting page. */
  press(link: Link, connected: Connected): Promise<Page>;
  /** Opens a link, or another address of the service, and records the shown status. */
  look(link: Link, url?: string): Promise<Page>;
  /**
   * Chooses a processor until the link redirects there, and returns the address. Repeats because a request to the
   * processor may time out on a busy machine.
   */
  goTo(link: Link, connected: Connected): Promise<string>;
  /** Opens a link until it redirects to the processor, and returns the address. */
  awaitRedirect(link: Link, connected: Connected): Promise<string>;
  refund(link: Link, amount: number): Promise<void>;
  /** Waits until nothing is in progress. The fakes settle at once what takes real processors days. */
  settle(limitMs?: number): Promise<number>;
  findFaults(): Promise<string[]>;
  /** The charges for a link at all processors. */
  chargesOf(link: Link): Promise<MoneyLine[]>;
  close(): Promise<void>;
};

const redirectTimeoutMs = 60_000;

/** Converts a fake's journal for the oracle. A line without our key uses the processor's reference as key. */
function toLines(money: readonly MoneyLine[]): JournalLine[] {
  const keys = new Map(
    money
      .filter(({ type }) => type === 'charge')
      .map((charge) => [charge.reference, charge.key ?? charge.reference]),
  );
  return money.map((line): JournalLine => {
    const { reference, amountMinor, currency, key } = line;
    const moved = { key: key ?? reference, reference, amountMinor, currency };
    if (line.type === 'charge') {
      const about = `/pay/${line.linkCode ?? ''}/return`;
      return { ...{ type: 'charge', state: 'charged', about }, ...moved } satisfies ChargeLine;
    }
    const chargeKey = keys.get(line.chargeReference ?? '') ?? '';
    return { ...{ type: 'refund', state: 'refunded', chargeKey }, ...moved } satisfies RefundLine;
  });
}

/** The actions of merchants and customers; every response to them is recorded. */
function createClients(
  { checkResponse, note, reported, baseUrl }: FaultFixture,
  credentials: () => Credentials,
) {
  const look: LiveFaultRig['look'] = async (link, url = link.link) => note(link, await visit(url));
  /** Opens a link until it redirects to the processor. Calls `otherwise` with each other page. */
  const findRedirect = async (link: Link, connected: Connected, otherwise: (page: Page) => Promise<void>) => {
    const guard = AbortSignal.timeout(redirectTimeoutMs);
    for (;;) {
      const page = await look(link);
      const lead = leadOf(page, connected);
      if (lead) return lead;
      assert.ok(!guard.aborted, `the link leads to ${connected.name}, and not only to ${page.url}`);
      await otherwise(page);
    }
  };
  return {
    look,
    press: async (link: Link, { connectionId }: Connected) =>
      note(link, await chooseMethod(checkResponse(link.link, await visit(link.link)), connectionId)),
    goTo: async (link: Link, connected: Connected) =>
      await findRedirect(link, connected, async (page) => {
        if (methodsOf(page).length > 0) note(link, await chooseMethod(page, connected.connectionId));
        else await sleep(100);
      }),
    awaitRedirect: async (link: Link, connected: Connected) =>
      await findRedirect(link, connected, async () => await sleep(100)),
    refund: async ({ code }: Link, amount: number) => {
      const path = ['POST', `/v1/payments/${code}/refunds`] as const;
      const { body } = checkResponse('refund', await call({ baseUrl }, credentials(), path, { amount }));
      const { refundId, status } = body as Json;
      if (refundId) reported.push({ kind: 'refund', refundId: String(refundId), state: String(status) });
    },
  };
}

/**
 * Opens a rig. `close` ends its processes and removes their files. Without `hasNotices` the processors send no
 * webhooks, so the service has to query them.
 */
export async function openLiveFaultRig(options: { hasNotices?: boolean } = {}): Promise<LiveFaultRig> {
  const fakes = await startFakes();
  const isOn = options.hasNotices ?? false;
  await Promise.all(fakes.map(async ({ rig }) => await rig.control({ webhooks: { isOn } })));
  const fixture = await openFaultFixture();
  const settings = { ...fixture.settingsFor(fixture.databaseUrl), ...settingsOf(fakes) };
  let service: Running | null = null;
  const start: LiveFaultRig['start'] = async ({
    crashAt,
    crashCount = 1,
    plantedBug,
    processorTimeoutMs,
  } = {}) => {
    await service?.kill();
    const env: Record<string, string> = { ...settings };
    if (crashAt) Object.assign(env, { CRASH_AT: crashAt, CRASH_COUNT: String(crashCount) });
    if (plantedBug) Object.assign(env, { PLANTED_BUG: plantedBug });
    if (processorTimeoutMs) Object.assign(env, { ASK_TIMEOUT_MS: String(processorTimeoutMs) });
    service = await startProcess('live-spawned-app.ts', { env });
    assert.ok(service, 'the service starts');
    return service;
  };
  const close = async () => {
    await service?.kill();
    await stopFakes(fakes);
    await fixture.close();
  };
  const prepare = async () => {
    await start();
    const credentials = await fixture.logIn();
    const processors: Connected[] = [];
    for (const fake of fakes) processors.push(await connect(fixture, credentials, fake));
    await call(fixture, credentials, ['POST', '/v1/processor-connections'], noCards);
    return { credentials, processors };
  };
  const { credentials, processors } = await prepare().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const readMoney = async () => (await Promise.all(fakes.map(async ({ rig }) => await rig.money()))).flat();
  const clients = createClients(fixture, () => credentials);
  return {
    ...fixture,
    ...clients,
    credentials,
    processors,
    start,
    settle: async (limitMs) =>
      await fixture.settle(
        limitMs,
        async () => await Promise.all(fakes.map(async ({ rig }) => await rig.settle())),
      ),
    findFaults: async () => await fixture.findFaults(toLines(await readMoney())),
    chargesOf: async ({ code }) =>
      (await readMoney()).filter(({ type, linkCode }) => type === 'charge' && linkCode === code),
    close,
  };
}
