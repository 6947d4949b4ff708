// The sandbox processor: a fictitious acquirer with its own records. It deduplicates by idempotency key,
// challenges with its own page, and fails on command. No money moves.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { randomBase32 } from '../../base/ids.ts';
import { currencies } from '../../base/money.ts';
import type { Database, TenantScope } from '../../db/database.ts';
import { revealCard } from '../card.ts';
import type {
  AttemptOutcome,
  AuthoriseRequest,
  BalanceTransactionPage,
  Processor,
  ProcessorKind,
  ProcessorRefundRequest,
  RefundOutcome,
  ReportOutcome,
} from '../processor.ts';
import {
  findRefundFault,
  findSandboxCharge,
  insertCharge,
  insertSandboxRefund,
  listSandboxTransactions,
  lockCharge,
  moveCharge,
  type NewSandboxCharge,
  type SandboxCharge,
  sumRefunds,
} from './store.ts';
import { findTestCard, type TestCardScenario } from './test-cards.ts';

export type SandboxDeps = { db: Database; clock: Clock; baseUrl: string; reportOutcome: ReportOutcome };

const name = 'sandbox';

/** Longer than any caller waits for a response. */
const hangMs = 60 * 60 * 1000;

type ChargingScenario = Exclude<TestCardScenario, { kind: 'never_answer' }>;

/** The scope of its records: it moves no real money, so they are in test mode. */
export const sandboxScope = (companyId: string): TenantScope => ({ companyId, mode: 'test' });

/** The path of a charge's challenge page; the company's tag begins the reference. */
export function challengePath(companyId: string, reference: string): string {
  return `/sandbox/3ds/${companyId}/${reference}`;
}

function newCharge(request: AuthoriseRequest, scenario: ChargingScenario, at: Date): NewSandboxCharge {
  const states = {
    succeed: 'succeeded',
    decline: 'declined',
    challenge: 'challenge',
    lose_answer: 'succeeded',
    answer_late: 'pending',
    answer_twice: 'succeeded',
    answer_out_of_order: 'succeeded',
    wrong_amount: 'succeeded',
    charge_after_decline: 'succeeded',
    stay_pending: 'pending',
  } as const;
  return {
    idempotencyKey: request.attemptId,
    reference: `sbx_${randomBase32(24)}`,
    state: states[scenario.kind],
    afterChallenge: scenario.kind === 'challenge' ? scenario.settlesAs : null,
    declineCode: scenario.kind === 'decline' ? scenario.code : null,
    amountMinor: request.amountMinor + (scenario.kind === 'wrong_amount' ? 1 : 0),
    currency: request.currency,
    returnUrl: request.returnUrl,
    merchantName: request.merchantName,
    locale: request.locale,
    settlesAt: scenario.kind === 'answer_late' ? new Date(at.getTime() + scenario.seconds * 1000) : null,
    createdAt: at,
  };
}

function toOutcome(deps: SandboxDeps, companyId: string, charge: SandboxCharge): AttemptOutcome {
  const { reference, amountMinor, currency } = charge;
  switch (charge.state) {
    case 'succeeded':
      return { kind: 'succeeded', reference, amountMinor, currency };
    case 'declined':
      return { kind: 'declined', reference, code: charge.declineCode ?? 'generic_decline' };
    case 'challenge':
      return { kind: 'requires_action', reference, url: deps.baseUrl + challengePath(companyId, reference) };
    case 'void':
      return { kind: 'void' };
    case 'pending':
      return { kind: 'processing', reference };
  }
}

/** Updates a charge: one that settles by itself has done so once its time has come. */
async function readCharge(
  deps: SandboxDeps,
  companyId: string,
  attemptId: string,
): Promise<SandboxCharge | null> {
  const now = deps.clock.now();
  return await deps.db.inTenant(sandboxScope(companyId), async (tx) => {
    const charge = await findSandboxCharge(tx, attemptId);
    if (charge?.state !== 'pending' || !charge.settlesAt || charge.settlesAt > now) return charge;
    return (await moveCharge(tx, { idempotencyKey: attemptId, from: 'pending', to: 'succeeded' })) ?? charge;
  });
}

/** The response to a new charge, as its test card requires. */
async function respondToNewCharge(
  deps: SandboxDeps,
  request: AuthoriseRequest,
  scenario: ChargingScenario,
  charge: SandboxCharge,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { companyId, attemptId } = request;
  const { reference } = charge;
  const outcome = toOutcome(deps, companyId, charge);
  const report = async (outcome: AttemptOutcome) =>
    await deps.reportOutcome({ processor: name, ...sandboxScope(companyId), attemptId, outcome });
  switch (scenario.kind) {
    case 'lose_answer':
      throw new Error('the sandbox dropped the connection on purpose');
    case 'answer_late':
      await sleep(scenario.seconds * 1000, undefined, { signal });
      return toOutcome(deps, companyId, (await readCharge(deps, companyId, attemptId)) ?? charge);
    case 'answer_twice':
      await report(outcome);
      await report(outcome);
      return outcome;
    case 'answer_out_of_order':
      await report(outcome);
      return { kind: 'processing', reference };
    case 'charge_after_decline':
      await report({ kind: 'declined', reference, code: scenario.code });
      return outcome;
    default:
      return outcome;
  }
}

async function authorise(
  deps: SandboxDeps,
  request: AuthoriseRequest,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { companyId } = request;
  if (!request.card) throw new Error('the sandbox requires a card');
  const scenario = findTestCard(revealCard(request.card).number)?.scenario;
  if (!scenario) throw new Error('the sandbox does not accept this card');
  if (scenario.kind === 'never_answer') {
    await sleep(hangMs, undefined, { signal });
    throw new Error('the sandbox did not respond');
  }
  const charge = newCharge(request, scenario, deps.clock.now());
  const options = { isSingle: true, isBatch: true };
  const isNew = await deps.db.inTenant(
    sandboxScope(companyId),
    async (tx) => await insertCharge(tx, charge),
    options,
  );
  if (isNew) return await respondToNewCharge(deps, request, scenario, charge, signal);
  return toOutcome(deps, companyId, (await readCharge(deps, companyId, request.attemptId)) ?? charge);
}

async function cancel(deps: SandboxDeps, companyId: string, attemptId: string): Promise<AttemptOutcome> {
  const at = deps.clock.now();
  const charge = await deps.db.inTenant(sandboxScope(companyId), async (tx) => {
    // Use up an unused key, so that a late request with it cannot charge.
    const voidPlaceholder: NewSandboxCharge = {
      idempotencyKey: attemptId,
      reference: `sbx_${randomBase32(24)}`,
      ...{ state: 'void', amountMinor: 0, currency: 'XXX', createdAt: at },
      ...{ afterChallenge: null, declineCode: null, returnUrl: null, merchantName: null },
      ...{ locale: null, settlesAt: null },
    };
    if (await insertCharge(tx, voidPlaceholder)) return voidPlaceholder;
    const existing = await findSandboxCharge(tx, attemptId);
    if (!existing) throw new Error('a charge is neither new nor there');
    if (existing.state !== 'challenge') return existing;
    return (
      (await moveCharge(tx, { idempotencyKey: attemptId, from: 'challenge', to: 'void' })) ??
      (await findSandboxCharge(tx, attemptId)) ??
      existing
    );
  });
  return toOutcome(deps, companyId, charge);
}

async function refund(deps: SandboxDeps, request: ProcessorRefundRequest): Promise<RefundOutcome> {
  const { companyId, refundId, attemptId, amountMinor, currency } = request;
  const at = deps.clock.now();
  const existing = await deps.db.inTenant(sandboxScope(companyId), async (tx) => {
    const charge = await lockCharge(tx, attemptId);
    const fault = await findRefundFault(tx, { attemptId, refundId });
    if (fault === 'no_answer') throw new Error('the sandbox does not respond to this refund, on purpose');
    const canRefund =
      charge?.state === 'succeeded' &&
      fault === null &&
      charge.currency === currency &&
      amountMinor <= charge.amountMinor - (await sumRefunds(tx, charge.reference));
    return await insertSandboxRefund(
      tx,
      {
        idempotencyKey: refundId,
        chargeReference: charge?.reference ?? '',
        reference: `sbr_${randomBase32(24)}`,
        state: canRefund ? 'succeeded' : 'failed',
        amountMinor,
        currency,
      },
      at,
    );
  });
  const { reference } = existing;
  if (existing.state === 'failed') return { kind: 'failed', reference, code: 'nothing_to_give_back' };
  return { kind: 'succeeded', reference, amountMinor: existing.amountMinor, currency: existing.currency };
}

const pageSize = 500;

async function list(
  deps: SandboxDeps,
  request: Parameters<Processor['list']>[0],
): Promise<BalanceTransactionPage> {
  const { companyId, from, until, cursor } = request;
  const after = cursor ?? '';
  const movements = await deps.db.inTenant(
    sandboxScope(companyId),
    async (tx) => await listSandboxTransactions(tx, { from, until, after, limit: pageSize }),
  );
  return { movements, nextCursor: movements.length < pageSize ? null : (movements.at(-1)?.key ?? null) };
}

/** How long a customer may take for a challenge. */
const challengeLifeMs = 15 * 60 * 1000;

/** The sandbox as a processor. It works for every company and needs no settings. */
export function createSandbox(deps: SandboxDeps): ProcessorKind {
  const processor = bindSandbox(deps);
  return {
    name,
    title: 'Sandbox',
    takes: 'card',
    modes: ['test'],
    currencies,
    actionLifeMs: challengeLifeMs,
    mayOutliveLink: true,
    followsTestClock: true,
    fields: [],
    check: async () => ({ kind: 'good', holder: 'No money moves', account: name }),
    connect: () => processor,
    readNotice: null,
  };
}

function bindSandbox(deps: SandboxDeps): Processor {
  return {
    name,
    refuseCard: (card) => (findTestCard(revealCard(card).number) ? null : 'unsupported_test_card'),
    authorise: async (request, signal) => await authorise(deps, request, signal),
    query: async ({ companyId, attemptId }) => {
      const charge = await readCharge(deps, companyId, attemptId);
      return charge ? toOutcome(deps, companyId, charge) : null;
    },
    refund: async (request) => await refund(deps, request),
    cancel: async ({ companyId, attemptId }) => await cancel(deps, companyId, attemptId),
    capture: async () => {
      throw new Error('the sandbox captures at once');
    },
    instruct: async () => null,
    list: async (request) => await list(deps, request),
  };
}
