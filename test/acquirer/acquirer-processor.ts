// The fake acquirer as a Processor: the card picks the script, the attempt's id is the key. What the
// acquirer says in its own words becomes an outcome; anything unexpected throws, for nobody knows then.

import type { PaymentMethod } from '../../src/connections/list-methods.ts';
import { revealCard } from '../../src/processors/card.ts';
import type {
  AttemptOutcome,
  BalanceTransaction,
  DeclineCode,
  OutcomeReport,
  Processor,
  ProcessorKind,
  ProcessorRegistry,
  RefundOutcome,
} from '../../src/processors/processor.ts';
import { listProcessors } from '../../src/processors/registry.ts';
import type { ChargeLine, RefundLine } from './journal.ts';
import { scriptOf } from './scripts.ts';

export const processorName = 'acquirer';
const declineCodes: readonly DeclineCode[] = ['generic_decline', 'incorrect_csc'];

async function call(
  url: string,
  init: { method: string; body?: object; signal: AbortSignal },
): Promise<unknown | null> {
  const response = await fetch(url, {
    method: init.method,
    signal: init.signal,
    headers: { 'content-type': 'application/json' },
    ...(init.body ? { body: JSON.stringify(init.body) } : {}),
  });
  const text = await response.text();
  if (response.status === 404 && init.method === 'GET') return null;
  if (response.status !== 200) throw new Error(`the acquirer answered ${response.status}`);
  return JSON.parse(text) as unknown;
}

function toOutcome(said: unknown, key: string): AttemptOutcome {
  const charge = said as ChargeLine;
  const { reference, amountMinor, currency } = charge;
  if (charge.type !== 'charge' || charge.key !== key || typeof reference !== 'string')
    throw new Error('the acquirer speaks of something else');
  if (charge.state === 'charged') return { kind: 'succeeded', reference, amountMinor, currency };
  if (charge.state === 'pending') return { kind: 'processing', reference };
  if (charge.state === 'void') return { kind: 'void' };
  const code = declineCodes.find((candidate) => candidate === charge.code);
  if (charge.state !== 'declined' || !code) throw new Error('the acquirer said something unknown');
  return { kind: 'declined', reference, code };
}

function toRefundOutcome(said: unknown, key: string): RefundOutcome {
  const refund = said as RefundLine;
  const { reference, amountMinor, currency } = refund;
  if (refund.type !== 'refund' || refund.key !== key || typeof reference !== 'string')
    throw new Error('the acquirer speaks of something else');
  if (refund.state === 'refunded') return { kind: 'succeeded', reference, amountMinor, currency };
  if (refund.state !== 'refused') throw new Error('the acquirer said something unknown');
  return { kind: 'failed', reference, code: 'refused' };
}

/** Reads what the acquirer posts by itself; throws for anything that is not of its own form. */
export function readNotification(said: unknown): Pick<OutcomeReport, 'processor' | 'attemptId' | 'outcome'> {
  const { key } = said as ChargeLine;
  if (typeof key !== 'string') throw new Error('the acquirer speaks of something else');
  return { processor: processorName, attemptId: key, outcome: toOutcome(said, key) };
}

/**
 * The acquirer at an address of the loopback interface, as a processor. `notifyUrl` is where it may
 * tell of a company's charges by itself.
 */
export function createAcquirerProcessor(
  acquirerUrl: string,
  notifyUrl?: (companyId: string) => string,
): Processor {
  const chargeUrl = (key: string) => `${acquirerUrl}/charges/${key}`;
  return {
    name: processorName,
    refuseCard: (card) => (scriptOf(revealCard(card).number) ? null : 'unsupported_test_card'),
    authorise: async (request, signal) => {
      const { attemptId: key, amountMinor, currency, returnUrl: about } = request;
      if (!request.card) throw new Error('the acquirer takes cards');
      const script = scriptOf(revealCard(request.card).number);
      const body = {
        ...{ key, amountMinor, currency, about, script },
        ...(notifyUrl ? { notifyUrl: notifyUrl(request.companyId) } : {}),
      };
      return toOutcome(await call(`${acquirerUrl}/charges`, { method: 'POST', body, signal }), key);
    },
    query: async ({ attemptId }, signal) => {
      const said = await call(chargeUrl(attemptId), { method: 'GET', signal });
      return said === null ? null : toOutcome(said, attemptId);
    },
    cancel: async ({ attemptId }, signal) =>
      toOutcome(await call(`${chargeUrl(attemptId)}/void`, { method: 'POST', signal }), attemptId),
    capture: async () => {
      throw new Error('the acquirer takes the money at once');
    },
    instruct: async () => null,
    refund: async (request, signal) => {
      const { refundId: key, attemptId: chargeKey, amountMinor } = request;
      const body = { key, chargeKey, amountMinor };
      return toRefundOutcome(await call(`${acquirerUrl}/refunds`, { method: 'POST', body, signal }), key);
    },
    // It has one page, whatever the span: its journal knows no times.
    list: async (_request, signal) => {
      const said = await call(`${acquirerUrl}/movements`, { method: 'GET', signal });
      return { movements: said as BalanceTransaction[], nextCursor: null };
    },
  };
}

/** A processor as one that is built in: it takes cards, and needs no settings. */
export function kindOf(processor: Processor): ProcessorKind {
  return {
    name: processor.name,
    title: 'Acquirer',
    takes: 'card',
    modes: ['test'],
    currencies: ['EUR', 'USD'],
    actionLifeMs: 15 * 60 * 1000,
    mayOutliveLink: true,
    fields: [],
    check: async () => ({ kind: 'good', holder: 'Acquirer', account: 'acquirer' }),
    connect: () => processor,
    readNotice: null,
  };
}

/** A processor as the only one that there is. */
export function onlyProcessor(processor: Processor): ProcessorRegistry {
  return listProcessors(kindOf(processor));
}

/** What is built in, asked for a company. */
export function builtInOf(processors: ProcessorRegistry): Processor {
  return processors.builtIn.connect({ connectionId: null, companyId: '', mode: 'test', credentials: {} });
}

/** The way to pay with what is built in. */
export function builtInMethod(processors: ProcessorRegistry): PaymentMethod {
  return { kind: processors.builtIn, connectionId: null, isUp: true };
}
