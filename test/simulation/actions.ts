// The actions of a walk: a client calls, a task resumes, a process dies, time passes, the acquirer acts. Each takes two
// numbers: `pick` selects the object, `fate` the outcome. 0 is harmless, so that a shortened walk is simple. An action
// without an object does nothing.

import { pay } from '../../src/attempts/pay.ts';
import { AttemptNotFinalError, reconcileAttempt } from '../../src/attempts/reconcile-attempt.ts';
import { recordOutcome } from '../../src/attempts/record-outcome.ts';
import { refreshAttempt } from '../../src/attempts/refresh-attempt.ts';
import { type PaymentView, viewPayment } from '../../src/attempts/view-payment.ts';
import { cancelPayment } from '../../src/links/cancel-payment.ts';
import { createPayment } from '../../src/links/create-payment.ts';
import { expirePayments } from '../../src/links/expire-payments.ts';
import { findRefund } from '../../src/payments/refund-store.ts';
import { isAttemptFinal } from '../../src/payments/states.ts';
import { compareProcessor } from '../../src/reconciliation/compare-processor.ts';
import {
  RefundNotFinalError,
  reconcileRefund,
  refundPayment,
  submitRefund,
} from '../../src/refunds/refund-payment.ts';
import { builtInMethod } from '../acquirer/acquirer-processor.ts';
import { begin, choose, note, reportState } from './begin-task.ts';
import type { DueItem } from './due-table.ts';
import {
  type AcquirerNotification,
  type AcquirerScript,
  cardFor,
  type RefundReversal,
  scripts,
} from './fake-acquirer.ts';
import { NoAcquirerResponseError } from './network.ts';
import type { ResumeDecision, Task } from './scheduler.ts';
import { processCount, type SimulatedLink, type SimulatedOrder, type World } from './world.ts';

type Action = (world: World, pick: number, fate: number) => Promise<void> | void;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

async function processOrder(world: World, pick: number, order: SimulatedOrder): Promise<void> {
  const { companyId, body } = order;
  await begin(world, pick, `create ${body.customerOrderId}`, async (task) => {
    const creator = { companyId, accountId: 'acc_simulation', mode: 'test' } as const;
    const { payment, isReplay } = await createPayment(world.depsOf(task), creator, body);
    const { code, customerOrderId: orderId, amountMinor, currency } = payment;
    if (!world.links.some((link) => link.code === code)) world.links.push({ companyId, mode: 'test', code });
    world.reported.set(code, { kind: 'link', code, orderId, amountMinor, currency });
    return `${code}${isReplay ? ' again' : ''}`;
  });
}

/** Views a link. One that was known to have ended before the call must not be shown as open again. */
async function readLink(world: World, task: Task, link: SimulatedLink): Promise<PaymentView | null> {
  const ended = (['paid', 'failed'] as const).find((kind) => world.reported.has(`${link.code} ${kind}`));
  const view = await viewPayment(world.depsOf(task), link);
  if (ended && view && view.payment.state !== ended)
    world.faults.push(`${link.code} was ${ended}, and a later view shows ${view.payment.state}`);
  return view;
}

const amounts = [19.99, 0.01, 5, 1234.5];

/** A merchant creates a link, sometimes one that expires soon. */
const create: Action = async (world, pick, fate) => {
  const expiresAt = new Date(world.nowMs() + (6 + (pick % 60)) * minuteMs).toISOString();
  const order: SimulatedOrder = {
    companyId: choose(world.companies, pick) ?? '',
    body: {
      customerOrderId: `order-${world.orders.length + 1}`,
      email: 'ada@example.com',
      amount: choose(amounts, pick) ?? 1,
      currency: pick % 5 === 0 ? 'USD' : 'EUR',
      success_url: 'https://shop.example/thanks',
      failure_url: 'https://shop.example/sorry',
      ...(fate >= 70 ? { expiresAt } : {}),
    },
  };
  world.orders.push(order);
  await processOrder(world, pick, order);
};

/** A merchant repeats an order, rarely with another amount. */
const createAgain: Action = async (world, pick, fate) => {
  const order = choose(world.orders, pick);
  if (!order) return;
  const body = fate >= 90 ? { ...order.body, amount: 7 } : order.body;
  await processOrder(world, pick, { ...order, body });
};

/** One of the newest links, so that several clients use the same one. */
function chooseLink(world: World, pick: number): SimulatedLink | undefined {
  return choose(world.links.slice(-6), pick);
}

/** 3-D Secure has the most steps and thus the most interleavings, so it is more frequent. */
const payScripts: readonly AcquirerScript[] = [...scripts, 'challenge', 'challenge'];

const payLink: Action = async (world, pick, fate) => {
  const link = chooseLink(world, pick);
  if (!link) return;
  const script = fate < 30 ? 'approve' : (choose(payScripts, fate) ?? 'approve');
  await begin(world, pick + fate, `pay ${link.code} (${script})`, async (task) => {
    const deps = world.depsOf(task);
    const view = await readLink(world, task, link);
    if (!view) throw new Error('a link has vanished');
    if (reportState(world, view.payment) !== 'open') return view.payment.state;
    const current = await pay(deps, {
      ...link,
      method: builtInMethod(deps.processors),
      card: cardFor(script),
      merchant: view.company,
      locale: 'en',
      pageLocale: 'en',
    });
    return current ? reportState(world, current.payment) : 'no such link';
  });
};

/** A customer returns from the bank or waits, which queries the attempt. */
const look: Action = async (world, pick, fate) => {
  const link = chooseLink(world, pick);
  if (!link) return;
  await begin(world, pick + fate, `look ${link.code}`, async (task) => {
    const deps = world.depsOf(task);
    const view = await readLink(world, task, link);
    if (!view?.attempt || isAttemptFinal(view.attempt.state))
      return view ? reportState(world, view.payment) : 'no such link';
    const { companyId } = link;
    const { attemptId } = view.attempt;
    const { payment } = await refreshAttempt(deps, { mode: 'test', companyId, attemptId, actor: 'customer' });
    return reportState(world, payment);
  });
};

/** A customer pays with a card that the database refuses: only this payment must fail, whatever shares its batch. */
const payRefused: Action = async (world, pick, fate) => {
  const link = chooseLink(world, pick);
  if (!link) return;
  await begin(world, pick + fate, `pay ${link.code} (refused)`, async (task) => {
    const deps = world.depsOf(task);
    const view = await readLink(world, task, link);
    if (view?.payment.state !== 'open') return view?.payment.state ?? 'no such link';
    const card = { ...cardFor('approve'), last4: 'none' };
    const order = {
      ...link,
      method: builtInMethod(deps.processors),
      card,
      merchant: view.company,
      locale: 'en',
      pageLocale: 'en',
    };
    const refused = await pay(deps, order).catch((error: unknown) => error);
    // The link may have changed meanwhile; then nothing was inserted.
    return refused instanceof Error ? 'refused' : 'not begun';
  });
};

const refund: Action = async (world, pick, fate) => {
  const link = choose(world.links.slice(-20), pick);
  if (!link) return;
  await begin(world, pick + fate, `refund ${link.code}`, async (task) => {
    const amount = choose([0.01, 1.5, 5], pick);
    const order = {
      ...link,
      ...(fate >= 50 && amount ? { amount } : {}),
      createdBy: 'account:acc_simulation',
    };
    const { refundId, state } = await refundPayment(world.depsOf(task), order);
    world.reported.set(refundId, { kind: 'refund', refundId, state });
    return `${refundId} ${state}`;
  });
};

const cancel: Action = async (world, pick, fate) => {
  const link = chooseLink(world, pick);
  if (!link) return;
  await begin(world, pick + fate, `cancel ${link.code}`, async (task) => {
    const payment = await cancelPayment(world.depsOf(task), {
      ...link,
      actor: 'account:acc_simulation',
    });
    return payment.state;
  });
};

const expire: Action = async (world, pick) => {
  await begin(world, pick, 'expire', async (task) => `${await expirePayments(world.depsOf(task))} links`);
};

async function handle(world: World, task: Task, { kind, companyId, id }: DueItem): Promise<void> {
  if (kind === 'attempt') await reconcileAttempt(world.depsOf(task), { companyId, attemptId: id });
  else await reconcileRefund(world.depsOf(task), { companyId, refundId: id });
}

/** Works on a due row. Its lease may expire meanwhile; then a second run overlaps. */
export async function workOn(world: World, pick: number, item: DueItem): Promise<void> {
  world.dueTable.take(item, world.nowMs());
  await begin(world, pick, `due ${item.kind} ${item.id}`, async (task) => {
    try {
      await handle(world, task, item);
      return 'done';
    } catch (error) {
      if (!(error instanceof AttemptNotFinalError || error instanceof RefundNotFinalError)) throw error;
      world.dueTable.retry(item, world.nowMs());
      return error.message;
    }
  });
}

const work: Action = async (world, pick) => {
  const due = choose(await world.dueTable.due(world.nowMs()), pick);
  if (due) await workOn(world, pick, due);
};

/** Delivers a notification of the acquirer, which repeats it until Paylink accepts it. */
export async function deliverNotification(
  world: World,
  pick: number,
  notification: AcquirerNotification,
): Promise<void> {
  const { notifications } = world.acquirer;
  const { attemptId, outcome } = notification;
  await begin(world, pick, `notification ${outcome.kind} on ${attemptId}`, async (task) => {
    const { payment } = await recordOutcome(world.depsOf(task), {
      mode: 'test',
      ...notification,
      actor: 'processor:acquirer',
    });
    if (notifications.includes(notification)) notifications.splice(notifications.indexOf(notification), 1);
    return payment.state;
  });
}

const notify: Action = async (world, pick, fate) => {
  const notification = choose(world.acquirer.notifications, pick);
  if (!notification) return;
  if (fate >= 85) world.acquirer.notifications.push({ ...notification });
  await deliverNotification(world, pick + fate, notification);
};

/** Delivers the report of a refund that failed after it succeeded. It is repeated until it is recorded. */
export async function deliverReversal(world: World, pick: number, reversal: RefundReversal): Promise<void> {
  const { reversals } = world.acquirer;
  const { companyId, refundId } = reversal;
  await begin(world, pick, `reversal of ${refundId}`, async (task) => {
    const deps = world.depsOf(task);
    const scope = { companyId, mode: 'test' } as const;
    const refund = await deps.db.inTenant(scope, async (tx) => await findRefund(tx, refundId));
    if (!refund) throw new Error('a refund has vanished');
    const { state } = await submitRefund(deps, {
      ...{ companyId, refund, actor: 'webhook:acquirer', isReportedByProcessor: true },
    });
    if (state === 'failed' && reversals.includes(reversal)) reversals.splice(reversals.indexOf(reversal), 1);
    return state;
  });
}

/** A refund fails after it succeeded, or such a failure is reported. */
const reverse: Action = async (world, pick, fate) => {
  const known = choose(world.acquirer.reversals, pick);
  if (known && fate >= 50) return await deliverReversal(world, pick + fate, known);
  const key = choose(world.acquirer.reversible(), pick);
  if (!key) return;
  note(world, `the refund ${key} fails after all`);
  world.acquirer.reverse(key);
};

const arrive: Action = (world, pick) => {
  const late = choose(world.inFlight, pick);
  if (!late) return;
  world.inFlight.splice(world.inFlight.indexOf(late), 1);
  note(world, `late: ${late.about}`);
  late.arrive();
};

const settlements = [
  { below: 45, to: 'charged' },
  { below: 60, to: 'declined' },
  { below: 85, to: 'pending' },
  { below: 100, to: 'void' },
] as const;

const settle: Action = (world, pick, fate) => {
  const key = choose(world.acquirer.unsettled(), pick);
  if (!key) return;
  const to = settlements.find(({ below }) => fate < below)?.to ?? 'charged';
  note(world, `the acquirer settles ${key}: ${to}`);
  world.acquirer.settle(key, to);
};

async function resumeNext(world: World, pick: number, decision: ResumeDecision): Promise<Task | undefined> {
  const paused = choose(world.scheduler.paused(), pick);
  if (!paused) return undefined;
  const { task, point } = paused;
  const death = decision.death ? `, dies ${decision.death}` : '';
  note(world, `${task.name} continues to ${point.kind} ${point.about} (${decision.fate}${death})`);
  await world.scheduler.resume(paused, decision);
  return task;
}

const resume: Action = async (world, pick, fate) => {
  await resumeNext(world, pick, { fate });
};

/** A process dies at the next point of one of its tasks, and all its tasks with it. */
const crash: Action = async (world, pick, fate) => {
  const death = fate < 50 ? 'before_commit' : 'after_commit';
  const task = await resumeNext(world, pick, { fate, death });
  const processId = task?.processId ?? pick % processCount;
  const killed = world.restart(processId);
  world.skewsMs[processId] = (fate - 50) * 40;
  note(world, `process ${processId} is dead with ${killed} other pauses, and starts again`);
};

const jumpsMs = [1, 40, 2_000, 16_000, minuteMs, 16 * minuteMs, 3 * 60 * minuteMs, dayMs, 4 * dayMs];

/** Time passes, mostly seconds, rarely days. The clock of one process may be set, also back. */
const wait: Action = async (world, pick, fate) => {
  const ms = choose(jumpsMs, fate < 85 ? pick % 6 : pick) ?? 1;
  await world.advanceMs(ms);
  if (fate >= 60) world.skewsMs[pick % processCount] = (fate - 80) * 50;
  note(world, `${ms} ms pass`);
};

/** The nightly comparison with the acquirer's list. It may find operations still in progress. */
const compare: Action = async (world, pick) => {
  const companyId = choose(world.companies, pick) ?? '';
  await begin(world, pick, `compare ${companyId}`, async (task) => {
    const until = new Date(world.nowMs());
    const from = new Date(until.getTime() - 3 * dayMs);
    const span = { companyId, mode: 'test' as const, processor: 'acquirer', connectionId: null, from, until };
    try {
      return `${(await compareProcessor(world.depsOf(task), span)).discrepancies.length} disagreements`;
    } catch (error) {
      if (!(error instanceof NoAcquirerResponseError)) throw error;
      return error.message;
    }
  });
};

export const actions = {
  resume,
  create,
  createAgain,
  pay: payLink,
  payRefused,
  look,
  refund,
  cancel,
  expire,
  work,
  notify,
  arrive,
  settle,
  reverse,
  crash,
  wait,
  compare,
} satisfies Record<string, Action>;
export type ActionName = keyof typeof actions;

/** The relative frequency of each action. */
export const weights: Readonly<Record<ActionName, number>> = {
  resume: 60,
  create: 4,
  createAgain: 2,
  pay: 8,
  payRefused: 3,
  look: 3,
  refund: 5,
  cancel: 1,
  expire: 1,
  work: 5,
  notify: 4,
  arrive: 3,
  settle: 6,
  reverse: 2,
  crash: 1,
  wait: 4,
  compare: 1,
};
