// A merchant who accepts bank transfers on a running service: orders, statements, and short access to the API.

import assert from 'node:assert/strict';
import { refreshAttempt } from '../../src/attempts/refresh-attempt.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { Database } from '../../src/db/database.ts';
import { reconcileRefund } from '../../src/refunds/refund-payment.ts';
import { compareAllProcessors, verifyAllLedgers } from '../../src/verify-companies.ts';
import {
  connectBank,
  type OrderedTransfer,
  orderTransfer,
  type StatementEntry,
  type StatementFile,
  sendStatement,
  statementOf,
} from '../harness/bank.ts';
import { type Answer, type Credentials, call, type Json, logIn } from '../harness/client.ts';
import { manualClock } from '../harness/manual-clock.ts';
import { type Engine, type Paylink, type PaylinkOptions, startPaylink } from '../harness/paylink.ts';

const matchLimitMs = 60_000;
const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** Line counts of a statement, 0 by default. */
const noLines = { matched: 0, waiting: 0, ignored: 0, matching: 0, duplicates: 0 };
export const counts = (some: Partial<typeof noLines>) => ({ ...noLines, ...some });
export const countsOf = ({ matched, waiting, ignored, matching, duplicates }: Json) => ({
  matched,
  waiting,
  ignored,
  matching,
  duplicates,
});

export type Rig = {
  paylink: Paylink;
  clock: Clock;
  /** Credentials of the current login. */
  credentials(): Credentials;
  post(path: string, body: Json): Promise<Answer>;
  get(path: string): Promise<Json>;
  order(amount: number, fields?: Json): Promise<OrderedTransfer>;
  /** Imports a statement of these lines. */
  send(...lines: StatementEntry[]): Promise<Json>;
  sendAs(file: StatementFile, ...lines: StatementEntry[]): Promise<Json>;
  /** The statement after all of its lines are matched. */
  untilMatched(statement: Json): Promise<Json>;
  /** Runs the jobs of a payment's refunds. */
  finishRefunds(ordered: OrderedTransfer): Promise<void>;
  /** Runs the job of an attempt. */
  settle(ordered: OrderedTransfer): Promise<void>;
  /** Advances the clock and logs in again. */
  advanceDays(days: number): Promise<void>;
  statusOf(ordered: OrderedTransfer): Promise<unknown>;
  linesOf(statement: Json): Promise<Json[]>;
  /** The reasons of a statement's lines, in the order of the file. */
  reasonsOf(statement: Json): Promise<unknown[]>;
  /** The data of a payment's events of a type. */
  eventDataOf(ordered: OrderedTransfer, type: string): Promise<Json[]>;
  /** The refunds of a payment that a person has to send. */
  pendingRefunds(ordered: OrderedTransfer): Promise<Json[]>;
  refundsOf(ordered: OrderedTransfer): Promise<Json[]>;
  resolve(lineId: unknown, resolution: Json): Promise<Answer>;
  resolveRefund(refundId: unknown, resolution: Json): Promise<Answer>;
  /** Asserts that the ledger, the payments and the processor's records agree. */
  checkBooks(): Promise<void>;
  stop(): Promise<void>;
};

type RigOptions = Pick<PaylinkOptions, 'isAtWork'>;

/** Waits until all lines of a statement are matched. */
async function waitUntilMatched(read: () => Promise<Json>): Promise<Json> {
  const until = performance.now() + matchLimitMs;
  for (;;) {
    const statement = await read();
    if (statement.matching === 0) return statement;
    assert.ok(performance.now() < until, 'the lines were not matched');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Starts a service with a merchant whose bank account is connected. */
export async function openRig(engine: Engine, options: RigOptions = {}): Promise<Rig> {
  const clock = manualClock();
  const paylink = await startPaylink(engine, { clock, ...options });
  let credentials = await logIn(paylink);
  await connectBank(paylink, credentials);
  const { deps } = paylink.app;
  const get = async (path: string) => (await call(paylink, credentials, ['GET', path])).body;
  const post = async (path: string, body: Json) => await call(paylink, credentials, ['POST', path], body);
  const list = async (path: string) => (await get(path)).data as Json[];
  const sendAs: Rig['sendAs'] = async (file, ...lines) => {
    const answer = await sendStatement(paylink, credentials, statementOf(lines, file));
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const linesOf: Rig['linesOf'] = async ({ id }) => await list(`/v1/bank-lines?statementId=${id}`);
  return {
    paylink,
    clock,
    credentials: () => credentials,
    get,
    post,
    order: async (amount, fields = {}) => await orderTransfer(paylink, credentials, { amount, ...fields }),
    sendAs,
    send: async (...lines) => await sendAs({}, ...lines),
    untilMatched: async ({ id }) =>
      await waitUntilMatched(async () => await get(`/v1/bank-statements/${id}`)),
    finishRefunds: async ({ code }) => {
      const { companyId } = credentials;
      for (const { refundId } of await list(`/v1/payments/${code}/refunds`))
        await reconcileRefund(deps, { companyId, refundId: String(refundId) });
    },
    settle: async ({ attemptId }) => {
      const { companyId } = credentials;
      await refreshAttempt(deps, { mode: 'test', companyId, attemptId, actor: 'test' });
    },
    advanceDays: async (days) => {
      clock.advanceMs(days * dayMs);
      credentials = await logIn(paylink);
    },
    statusOf: async ({ code }) => (await get(`/v1/payments/${code}`)).status,
    linesOf,
    reasonsOf: async (statement) => (await linesOf(statement)).map(({ reason }) => reason).reverse(),
    eventDataOf: async ({ code }, type) =>
      (await list(`/v1/payments/${code}/events?limit=100`))
        .filter((event) => event.type === type)
        .map(({ data }) => data as Json),
    pendingRefunds: async ({ code }) =>
      (await list('/v1/bank-refunds?limit=100')).filter((refund) => refund.PaymentLinkCode === code),
    refundsOf: async ({ code }) =>
      (await list(`/v1/payments/${code}/refunds`)).map(({ kind, status, amount }) => ({
        kind,
        // Its job runs immediately, before or after this read.
        status: status === 'created' ? 'processing' : status,
        amount,
      })),
    resolve: async (lineId, resolution) => await post(`/v1/bank-lines/${lineId}/resolve`, resolution),
    resolveRefund: async (refundId, resolution) =>
      await post(`/v1/bank-refunds/${refundId}/resolve`, resolution),
    checkBooks: async () => {
      // The comparison excludes very recent movements.
      clock.advanceMs(2 * hourMs);
      credentials = await logIn(paylink);
      assert.deepEqual((await verifyAllLedgers(deps.db)).findings, []);
      assert.deepEqual((await compareAllProcessors(deps)).findings, []);
    },
    stop: async () => await paylink.stop(),
  };
}

/** A database that calls `intercept` before each statement of a tenant. */
export function interceptStatements(db: Database, intercept: (statement: string) => void): Database {
  return {
    ...db,
    inTenant: async (companyId, work, options) =>
      await db.inTenant(
        companyId,
        async (tx) => {
          const query: typeof tx.query = async (statement, values) => {
            intercept(statement);
            return await tx.query(statement, values);
          };
          return await work({ ...tx, query });
        },
        options,
      ),
  };
}

/** A database that commits this many transactions of tenants and then fails, as if the process had died. */
export function dyingAfter(db: Database, transactions: number): { db: Database; hasDied(): boolean } {
  let done = 0;
  let hasDied = false;
  return {
    hasDied: () => hasDied,
    db: {
      ...db,
      inTenant: async (companyId, work, options) => {
        if (done >= transactions) {
          hasDied = true;
          throw new Error('the process has died');
        }
        const result = await db.inTenant(companyId, work, options);
        done += 1;
        return result;
      },
    },
  };
}
