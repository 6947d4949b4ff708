// Expiring, cancelling, refunding and paying at the same time, on PostgreSQL. Each race also runs without its guards,
// and must then fail: else the test proves nothing.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type App, createApp } from '../src/app.ts';
import { viewPayment } from '../src/attempts/view-payment.ts';
import { ApiError } from '../src/base/errors.ts';
import { newId } from '../src/base/ids.ts';
import { isUnavailable } from '../src/db/outage.ts';
import { cancelPayment } from '../src/links/cancel-payment.ts';
import { expirePayments } from '../src/links/expire-payments.ts';
import { transitionPayment } from '../src/payments/transition.ts';
import { refundPayment } from '../src/refunds/refund-payment.ts';
import { type PlantedBug, plantInDatabase } from './faults/planted-bugs.ts';
import { type Credentials, createLink, type Json, logIn, orderOf, processPayment } from './harness/client.ts';
import { assertNoFaults, runConcurrently } from './harness/concurrency.ts';
import { manualClock } from './harness/manual-clock.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import { fillCard, payWith, visit } from './harness/visitor.ts';

const success = '4242424242424242';
const losesAnswer = '4000000000009011';
const linkLifeMs = 7 * 24 * 60 * 60 * 1000;

/** The service and a second one on its database, whose clock the test controls. */
type Pair = {
  paylink: Paylink;
  later: App;
  clock: ReturnType<typeof manualClock>;
  laterClock: ReturnType<typeof manualClock>;
  close(): Promise<void>;
};

async function openPair(bug?: PlantedBug): Promise<Pair> {
  const start = new Date();
  const [clock, laterClock] = [manualClock(start), manualClock(start)];
  const paylink = await startPaylink('server', { clock });
  const { config, log } = paylink.app.deps;
  // It never listens: the test calls its use cases, as its jobs and pages would.
  const later = await createApp({ config, log, clock: laterClock });
  if (bug) for (const { deps } of [paylink.app, later]) plantInDatabase(deps.db, bug);
  const close = async () => {
    await later.stop();
    await paylink.stop();
  };
  return { paylink, later, clock, laterClock, close };
}

/** Runs a scene on a new pair, with or without a bug. Returns the findings of the oracle and the scene. */
async function runScene(scene: (pair: Pair) => Promise<string[]>, bug?: PlantedBug): Promise<string> {
  const pair = await openPair(bug);
  try {
    const faults = await scene(pair);
    return [...faults, ...(await assertNoFaults(pair.paylink))].join('\n');
  } finally {
    await pair.close();
  }
}

/** How often a race without its guards is run until it shows what the guards prevent. */
const mostScenes = 5;

/** Runs a scene with a bug until its findings contain all of this: two acts may meet at other times than the race needs. */
async function assertDetected(
  scene: (pair: Pair) => Promise<string[]>,
  bug: PlantedBug,
  wanted: readonly RegExp[],
): Promise<void> {
  let faults = '';
  for (let run = 0; run < mostScenes; run++) {
    faults = await runScene(scene, bug);
    if (wanted.every((fault) => fault.test(faults))) return;
  }
  assert.fail(`${mostScenes} races without their guards went well, the last with: ${faults}`);
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

async function statusOf(paylink: Paylink, code: string): Promise<{ state: string; charges: number }> {
  const [row] = await paylink.app.deps.db.asOwner.query<{ state: string; charges: number }>(
    `select p.state, (select count(*) from attempts a join sandbox_charges c on c.idempotency_key = a.attempt_id
                      where a.payment_id = p.payment_id and c.state = 'succeeded') as charges
     from payments p where p.code = $1`,
    [code],
  );
  assert.ok(row);
  return row;
}

type Link = { link: string; code: string };

/** New links by one login, because logins are slow on purpose. */
async function makeLinks(paylink: Paylink, count: number): Promise<Link[]> {
  const credentials = await logIn(paylink);
  return await runConcurrently(count, 5, async () => await makeLink(paylink, credentials, orderOf()));
}

/** A link. Repeats a request that a busy service refuses with 503, as a merchant does. */
async function makeLink(paylink: Paylink, credentials: Credentials, order: Json): Promise<Link> {
  const { status, body } = await processPayment(paylink, credentials, order);
  if (status === 503) {
    await sleep(200);
    return await makeLink(paylink, credentials, order);
  }
  assert.equal(status, 200, JSON.stringify(body));
  return { link: String(body.PaymentLink), code: String(body.PaymentLinkCode) };
}

/** Cards posted at the last millisecond of their links, while a job and readers whose clock is later expire them. */
async function raceExpiry(pair: Pair): Promise<string[]> {
  const { paylink, later, clock, laterClock } = pair;
  const faults: string[] = [];
  for (let batch = 0; batch < 4; batch++) {
    const links = await makeLinks(paylink, 10);
    clock.advanceMs(linkLifeMs - 1);
    laterClock.advanceMs(linkLifeMs);
    const { companyId } = paylink.merchant;
    const forms = await runConcurrently(links.length, 5, async (index) =>
      fillCard(await visit(links[index]?.link ?? ''), { number: index % 2 ? success : losesAnswer }),
    );
    // The post takes longer to reach its link than the read and the job, so these start a little later.
    const look = async (code: string, index: number) => {
      await sleep(index * 4);
      return (await viewPayment(later.deps, { mode: 'test', companyId, code }))?.payment.state;
    };
    const [seen] = await Promise.all([
      Promise.all(links.map(async ({ code }, index) => await look(code, index))),
      sleep(25).then(async () => await expirePayments(later.deps)),
      ...forms.map(async ({ action, body }) => await visit(action, { method: 'POST', body })),
    ]);
    for (const [index, { link, code }] of links.entries()) {
      // A payment that was started in time may finish afterwards.
      await visit(`${link}/wait`);
      const { state, charges } = await statusOf(paylink, code);
      if (!(state === 'expired' && charges === 0) && !(state === 'paid' && charges === 1))
        faults.push(`link ${code} is ${state} with ${charges} charges`);
      if (seen[index] === 'expired' && state !== 'expired')
        faults.push(`link ${code} was called expired and is ${state}`);
    }
    laterClock.advanceMs(-1);
  }
  return faults;
}

/** Cards posted while the merchant cancels the links. */
async function raceCancel({ paylink, later }: Pair): Promise<string[]> {
  const { companyId } = paylink.merchant;
  const links = await makeLinks(paylink, 30);
  const found = await runConcurrently(links.length, 6, async (index) => {
    const { link, code } = links[index] as Link;
    const { action, body } = fillCard(await visit(link), { number: success });
    const [, cancelled] = await Promise.all([
      visit(action, { method: 'POST', body }),
      refusalOf(cancelPayment(later.deps, { mode: 'test', companyId, code, actor: 'test' })),
    ]);
    const { state, charges } = await statusOf(paylink, code);
    const isRight =
      cancelled === 'done' ? state === 'cancelled' && charges === 0 : state === 'paid' && charges === 1;
    return isRight
      ? []
      : [`link ${code} is ${state} with ${charges} charges; cancelling it was ${cancelled}`];
  });
  return found.flat();
}

/** 50 concurrent refunds of 1.00 at two services, of a payment of 19.99. One that waits too long for a lock is repeated. */
async function raceRefunds({ paylink, later }: Pair): Promise<string[]> {
  const { link, code } = await createLink(paylink);
  await payWith(link, { number: success });
  const { companyId } = paylink.merchant;
  const refundOnce = async (index: number, refundId: string): Promise<boolean> => {
    const { deps } = index % 2 ? paylink.app : later;
    const order = { mode: 'test', companyId, code, refundId, amount: 1, createdBy: 'test' } as const;
    try {
      return (await refusalOf(refundPayment(deps, order))) === 'done';
    } catch (error) {
      if (error instanceof Error && isUnavailable(error)) return await refundOnce(index, refundId);
      // Without the guards, the constraint refuses.
      if (error instanceof Error && error.message.includes('payments_refunds_within_amount')) return false;
      throw error;
    }
  };
  const made = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => await refundOnce(index, newId('ref', new Date()))),
  );
  const done = made.filter(Boolean).length;
  return done === 19 ? [] : [`${done} refunds of 1.00 were made of 19.99`];
}

describe('races with and without their guards', { concurrency: 2 }, () => {
  test('expiry racing pay: a link expires without a charge or is paid, and every response agrees', async () => {
    assert.equal(await runScene(raceExpiry), '');
  });

  test('expiry racing pay without lock and guard is detected', async () => {
    await assertDetected(raceExpiry, 'no_payment_guard', [/its \d events do not lead there/]);
  });

  test('cancel racing pay: a link is cancelled without a charge, or is paid', async () => {
    assert.equal(await runScene(raceCancel), '');
  });

  test('cancel racing pay without lock and guard is detected', async () => {
    await assertDetected(raceCancel, 'no_payment_guard', [
      /cancelling it was done/,
      /its \d events do not lead there/,
    ]);
  });

  test('concurrent refunds never exceed the paid amount', async () => {
    assert.equal(await runScene(raceRefunds), '');
  });

  test('without lock and guard the constraint limits concurrent refunds', async () => {
    assert.equal(await runScene(raceRefunds, 'no_refund_guard'), '');
  });

  test('concurrent refunds without lock, guard and constraint are detected', async () => {
    const faults = await runScene(async (pair) => {
      const drop = 'alter table payments drop constraint payments_refunds_within_amount';
      await pair.paylink.app.deps.db.asOwner.query(drop);
      return await raceRefunds(pair);
    }, 'no_refund_guard');
    // The sandbox limits the money itself: it refunds no more than it captured.
    assert.match(faults, /50 refunds of 1\.00 were made of 19\.99/);
  });
});

describe('reading a link at its expiry', () => {
  let pair: Pair;
  before(async () => {
    pair = await openPair();
  });
  after(async () => await pair.close());

  test('a payment that started in time is not shown as expired', async () => {
    const { paylink, later, laterClock } = pair;
    const { code } = await createLink(paylink);
    const { companyId } = paylink.merchant;
    const { db, clock } = paylink.app.deps;
    const found = await viewPayment(paylink.app.deps, { mode: 'test', companyId, code });
    assert.ok(found);
    const { paymentId } = found.payment;
    const move = { paymentId, at: clock.now(), actor: 'test' };
    laterClock.advanceMs(linkLifeMs);
    const moved = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const paying = db.inTenant({ companyId, mode: 'test' }, async (tx) => {
      await transitionPayment(tx, { ...move, from: 'open', to: 'processing' });
      moved.resolve();
      await release.promise;
    });
    await moved.promise;
    const looking = viewPayment(later.deps, { mode: 'test', companyId, code });
    const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await db.asOwner.query(waiting)).length > 0, 'the look to meet the lock');
    release.resolve();
    await paying;
    assert.equal((await looking)?.payment.state, 'processing');
  });
});
