// Journeys of a company that moves under load. Each returns the faults that its client sees: none, unless a bug is planted.

import { setTimeout as pause } from 'node:timers/promises';
import type { MoveStep } from '../../src/cell-moves/move-company.ts';
import type { Database } from '../../src/db/database.ts';
import {
  type Credentials,
  call,
  createLinkAs,
  type Json,
  logIn,
  orderOf,
  processPayment,
} from '../harness/client.ts';
import type { Merchant, Paylink } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { payWith, visit } from '../harness/visitor.ts';
import { createTestEndpoint, loopbackSettings, read } from '../harness/webhook-endpoints.ts';
import { type Receiver, startReceiver } from '../receiver/receiver.ts';
import { type CellsRig, openCellsRig } from './cells-rig.ts';
import { type Mover, openMover } from './move-rig.ts';

/** Does something to the databases at a step of a move: a planted bug. */
export type Plant = {
  step: MoveStep;
  plant: (cells: { source: Database; target: Database }) => Promise<void>;
};

export type Stage = {
  rig: CellsRig;
  paylink: Paylink;
  mover: Mover;
  receiver: Receiver;
  /** A new company, logged in, with its cell and another one. */
  openCompany(): Promise<Company>;
  close(): Promise<void>;
};
export type Company = { merchant: Merchant; credentials: Credentials; from: string; to: string };

/** A service on two clusters. */
export async function openStage(): Promise<Stage> {
  const rig = await openCellsRig({ eu1: 'one', eu2: 'two' });
  const paylink = await rig.start({ settings: loopbackSettings });
  const mover = await openMover(rig);
  const receiver = await startReceiver();
  return {
    ...{ rig, paylink, mover, receiver },
    openCompany: async () => {
      const merchant = await paylink.createMerchant();
      const credentials = await logIn(paylink, merchant);
      const from = String((await mover.db.cellOf(merchant.companyId)).cell);
      return { merchant, credentials, from, to: from === 'eu1' ? 'eu2' : 'eu1' };
    },
    close: async () => {
      await receiver.close();
      await paylink.stop();
      await rig.close();
    },
  };
}

/** Moves the company, with the planted bug. */
async function moveWith(
  { mover }: Stage,
  { merchant, from, to }: Company,
  {
    plants = [],
    onStep = async () => undefined,
  }: { plants?: readonly Plant[]; onStep?: (step: MoveStep) => Promise<void> },
): Promise<void> {
  const cellOf = (name: string) => {
    const cell = mover.db.cells().find((each) => each.cell === name);
    if (!cell) throw new Error(`there is no cell ${name}`);
    return cell;
  };
  await mover.move(merchant.companyId, to, {
    onStep: async (step) => {
      for (const planted of plants)
        if (planted.step === step) await planted.plant({ source: cellOf(from), target: cellOf(to) });
      await onStep(step);
    },
  });
}

/** A reader of the feed that keeps its cursor. */
export function openReader({ paylink }: Stage, { credentials }: Company) {
  let cursor = '';
  const ids: string[] = [];
  const events: Json[] = [];
  return {
    ids,
    events,
    /** Reads what is there. Throws if the service refuses. */
    readOn: async () => {
      for (;;) {
        const query = cursor === '' ? '' : `&after=${encodeURIComponent(cursor)}`;
        const { status, body } = await call(paylink, credentials, ['GET', `/v1/events?limit=100${query}`]);
        if (status !== 200) throw new Error(`the feed answered ${status}`);
        cursor = String(body.nextCursor);
        const data = body.data as Json[];
        ids.push(...data.map(({ id }) => String(id)));
        events.push(...data);
        if (data.length === 0) return;
      }
    },
  };
}

type Load = { orders: string[]; paid: string[]; refused: string[]; stop(): Promise<void> };

/** Creates links and pays every other one, all the time; each client waits `thinkMs` before each. */
export function startLoad(
  { paylink }: Stage,
  { credentials }: Company,
  { clients, thinkMs = 0 }: { clients: number; thinkMs?: number },
): Load {
  const load = { orders: [] as string[], paid: [] as string[], refused: [] as string[] };
  let isOver = false;
  const client = async () => {
    for (let number = 0; !isOver; number += 1) {
      await pause(thinkMs);
      const order = orderOf();
      const answer = await processPayment(paylink, credentials, order);
      if (answer.status !== 200) {
        load.refused.push(`creating a link: ${answer.status} ${JSON.stringify(answer.body)}`);
        continue;
      }
      load.orders.push(String(answer.body.PaymentLinkCode));
      if (number % 2 === 0) continue;
      const page = await payWith(String(answer.body.PaymentLink), { number: '4242424242424242' });
      if (page.status >= 400) load.refused.push(`paying: ${page.status}`);
      else load.paid.push(String(answer.body.PaymentLinkCode));
    }
  };
  const running = Promise.all(Array.from({ length: clients }, client));
  return {
    ...load,
    stop: async () => {
      isOver = true;
      await running;
    },
  };
}

/** The code of the link that an event or a message is about. */
export const codeIn = (message: object): string =>
  /"[pP]aymentLinkCode":"([^"]+)"/.exec(JSON.stringify(message))?.[1] ?? '';

/** What is wrong with what a reader read, as against what the clients did. */
function checkFeed({ ids, events }: ReturnType<typeof openReader>, { orders, paid }: Load): string[] {
  const faults: string[] = [];
  if (new Set(ids).size !== ids.length)
    faults.push(`the feed repeats ${ids.length - new Set(ids).size} events`);
  const codesOf = (type: string) =>
    new Set(events.filter((event) => event.type === type).map((event) => codeIn(event)));
  const [created, settled] = [codesOf('payment.created'), codesOf('payment.paid')];
  const lost =
    orders.filter((code) => !created.has(code)).length + paid.filter((code) => !settled.has(code)).length;
  if (lost > 0) faults.push(`the feed lost ${lost} events`);
  const state = new Map<string, string>();
  for (const event of events) {
    const { type } = event;
    const code = codeIn(event);
    if (type === 'payment.paid' && state.get(code) === undefined)
      faults.push('the feed has a payment before its link');
    state.set(code, String(type));
  }
  return faults;
}

/** What is wrong with the messages that a receiver got. Their order is not promised. */
function checkMessages(receiver: Receiver, name: string, { orders }: Load): string[] {
  const messages = receiver.messages(name).map((message) => read(message));
  const ids = messages.map((message) => `${message.id} ${codeIn(message)}`);
  const faults: string[] = [];
  if (new Set(ids).size !== ids.length)
    faults.push(`${ids.length - new Set(ids).size} messages were sent twice`);
  const created = new Set(
    messages.filter(({ type }) => type === 'payment.created').map((message) => codeIn(message)),
  );
  const lost = orders.filter((code) => !created.has(code)).length;
  if (lost > 0) faults.push(`${lost} messages were not sent`);
  return faults;
}

/** Long enough for a busy machine to deliver the messages that were due at the end. */
const settleMs = 60_000;

/**
 * Links are created and paid all the time, a reader follows the feed, and a receiver gets messages, while the company moves.
 * Returns what the clients saw: refused requests, and events and messages that were lost, repeated or out of order.
 */
export async function moveUnderLoad(
  stage: Stage,
  company: Company,
  plants: readonly Plant[] = [],
): Promise<string[]> {
  const name = `load-${company.merchant.companyId}-${company.to}`;
  await createTestEndpoint(stage.paylink, company.credentials, { url: stage.receiver.at(name) });
  const reader = openReader(stage, company);
  await reader.readOn();
  // Without time to think, a slow machine could not deliver all messages in time.
  const load = startLoad(stage, company, { clients: 3, thinkMs: 100 });
  await pause(500);
  await reader.readOn();
  await moveWith(stage, company, { plants });
  await reader.readOn();
  await pause(500);
  await load.stop();
  for (const until = performance.now() + settleMs; performance.now() < until; await pause(200)) {
    await reader.readOn();
    const isComplete =
      checkFeed(reader, load).length === 0 && checkMessages(stage.receiver, name, load).length === 0;
    if (isComplete) break;
  }
  return [...load.refused, ...checkFeed(reader, load), ...checkMessages(stage.receiver, name, load)];
}

/**
 * A delivery is due while its rows are in both cells: before the switch, and again after it. Returns what was sent by the cell
 * in which the company is not at home, or not sent by the other.
 */
export async function moveWithDueWork(
  stage: Stage,
  company: Company,
  plants: readonly Plant[] = [],
): Promise<string[]> {
  const { receiver, paylink, mover } = stage;
  const { credentials, from, merchant } = company;
  const name = `due-${merchant.companyId}-${company.to}`;
  const url = receiver.at(name, { status: 500 });
  const endpoint = await createTestEndpoint(paylink, credentials, { url });
  await createLinkAs(paylink, credentials);
  await receiver.waitFor(name, 1);
  const rows = async (cell: string, text: string) => {
    const found = mover.db.cells().find((each) => each.cell === cell);
    return (await found?.asOwner.query(text, [endpoint.id])) ?? [];
  };
  const makeDue = async (cell: string) => {
    await rows(
      cell,
      `update webhook_deliveries set due_at = now() - interval '1 second', leased_until = null
       where endpoint_id = $1 and state = 'pending' returning 1 as one`,
    );
  };
  /** The next try by itself would come during the move. */
  const postpone = async (cell: string) =>
    await until(
      async () =>
        (
          await rows(
            cell,
            `update webhook_deliveries set due_at = now() + interval '1 hour'
             where endpoint_id = $1 and state = 'pending' and leased_until is null returning 1 as one`,
          )
        ).length === 1,
      'the result of a delivery to be recorded',
    );
  await postpone(from);
  const faults: string[] = [];
  const countAfter = async (what: string, wanted: number) => {
    await pause(3_000);
    // A busy machine may take longer to send what is due.
    for (const until = performance.now() + settleMs; performance.now() < until; await pause(50))
      if (receiver.messages(name).length >= wanted) break;
    const count = receiver.messages(name).length;
    if (count !== wanted) faults.push(`${what}: ${count} messages instead of ${wanted}`);
  };
  await moveWith(stage, company, {
    plants,
    onStep: async (step) => {
      if (step === 'counted') {
        await makeDue(company.to);
        await countAfter('in the target, before the switch', 1);
        await makeDue(from);
        await countAfter('in the source, before the switch', 2);
        await postpone(from);
      }
      if (step === 'stopped') {
        await makeDue(from);
        await countAfter('in the source, after the switch', 2);
      }
    },
  }).catch((error: unknown) => faults.push(`the move stopped: ${error}`));
  await makeDue(company.to);
  await countAfter('in the target, after the switch', 3);
  return faults;
}

/**
 * A transaction of the company begins while both sides are compared, and commits when the replication has ended. Returns what is
 * wrong with its write afterwards.
 */
export async function writeDuringFreeze(
  stage: Stage,
  company: Company,
  plants: readonly Plant[] = [],
): Promise<string[]> {
  const { paylink, mover } = stage;
  const { credentials, merchant } = company;
  const { companyId } = merchant;
  const scope = { companyId, mode: 'test' } as const;
  const written = 'written during the freeze';
  const stopped = Promise.withResolvers<void>();
  let writing: Promise<unknown> = Promise.resolve();
  await createLinkAs(paylink, credentials);
  const write = async () =>
    await paylink.app.deps.db.inTenant(scope, async (tx) => {
      await tx.query('update payments set description = $2 where company_id = $1', [companyId, written]);
      await stopped.promise;
    });
  await moveWith(stage, company, {
    plants,
    onStep: async (step) => {
      if (step === 'compared') {
        writing = write();
        // Without the lock it would begin in the source now.
        await pause(300);
      }
      if (step === 'stopped') {
        stopped.resolve();
        await writing;
      }
    },
  });
  const [row] = await mover.db.inTenant(
    scope,
    async (tx) =>
      await tx.query('select count(*)::int as count from payments where description = $1', [written]),
  );
  return row?.count === 1 ? [] : ['a write during the freeze is lost'];
}

/** A process that has used the company before goes on with it after a move. Returns the requests that fail. */
export async function useAfterMove(
  stage: Stage,
  company: Company,
  plants: readonly Plant[] = [],
): Promise<string[]> {
  const { paylink } = stage;
  const { credentials } = company;
  const { link, code } = await createLinkAs(paylink, credentials);
  await moveWith(stage, company, { plants });
  const faults: string[] = [];
  const read = await call(paylink, credentials, ['GET', `/v1/payments/${code}`]);
  if (read.status !== 200) faults.push(`reading a payment: ${read.status}`);
  const created = await processPayment(paylink, credentials, orderOf());
  if (created.status !== 200) faults.push(`creating a link: ${created.status}`);
  const page = await visit(link);
  if (page.status !== 200) faults.push(`opening a link: ${page.status}`);
  return faults;
}
