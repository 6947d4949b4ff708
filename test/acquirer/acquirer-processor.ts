// The fake acquirer as a Processor: the card selects the script, and the attempt's ID is the key. An unexpected response
// throws.

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
  if (response.status !== 200) throw new Error(`the acquirer responded with ${response.status}`);
  return JSON.parse(text) as unknown;
}

function toOutcome(response: unknown, key: string): AttemptOutcome {
  const charge = response as ChargeLine;
  const { reference, amountMinor, currency } = charge;
  if (charge.type !== 'charge' || charge.key !== key || typeof reference !== 'string')
    throw new Error('the response is about something else');
  if (charge.state === 'charged') return { kind: 'succeeded', reference, amountMinor, currency };
  if (charge.state === 'pending') return { kind: 'processing', reference };
  if (charge.state === 'void') return { kind: 'void' };
  const code = declineCodes.find((candidate) => candidate === charge.code);
  if (charge.state !== 'declined' || !code) throw new Error('the response has an unknown state');
  return { kind: 'declined', reference, code };
}

function toRefundOutcome(response: unknown, key: string): RefundOutcome {
  const refund = response as RefundLine;
  const { reference, amountMinor, currency } = refund;
  if (refund.type !== 'refund' || refund.key !== key || typeof reference !== 'string')
    throw new Error('the response is about something else');
  if (refund.state === 'refunded') return { kind: 'succeeded', reference, amountMinor, currency };
  if (refund.state !== 'refused') throw new Error('the response has an unknown state');
  return { kind: 'failed', reference, code: 'refused' };
}

/** Reads a report of the acquirer. Throws for anything else. */
export function readNotification(
  response: unknown,
): Pick<OutcomeReport, 'processor' | 'attemptId' | 'outcome'> {
  const { key } = response as ChargeLine;
  if (typeof key !== 'string') throw new Error('the response is about something else');
  return { processor: processorName, attemptId: key, outcome: toOutcome(response, key) };
}

/**
 * The acquirer at an address on loopback, as a processor. `notifyUrl` is where it reports a company's charges.
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
      if (!request.card) throw new Error('the acquirer requires a card');
      const script = scriptOf(revealCard(request.card).number);
      const body = {
        ...{ key, amountMinor, currency, about, script },
        ...(notifyUrl ? { notifyUrl: notifyUrl(request.companyId) } : {}),
      };
      return toOutcome(await call(`${acquirerUrl}/charges`, { method: 'POST', body, signal }), key);
    },
    query: async ({ attemptId }, signal) => {
      const response = await call(chargeUrl(attemptId), { method: 'GET', signal });
      return response === null ? null : toOutcome(response, attemptId);
    },
    cancel: async ({ attemptId }, signal) =>
      toOutcome(await call(`${chargeUrl(attemptId)}/void`, { method: 'POST', signal }), attemptId),
    capture: async () => {
      throw new Error('the acquirer captures at once');
    },
    instruct: async () => null,
    refund: async (request, signal) => {
      const { refundId: key, attemptId: chargeKey, amountMinor } = request;
      const body = { key, chargeKey, amountMinor };
      return toRefundOutcome(await call(`${acquirerUrl}/refunds`, { method: 'POST', body, signal }), key);
    },
    // One page for any period: the journal has no times.
    list: async (_request, signal) => {
      const response = await call(`${acquirerUrl}/movements`, { method: 'GET', signal });
      return { movements: response as BalanceTransaction[], nextCursor: null };
    },
  };
}

/** A processor as the built-in one: it takes cards, and needs no settings. */
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

/** A registry with one processor. */
export function onlyProcessor(processor: Processor): ProcessorRegistry {
  return listProcessors(kindOf(processor));
}

/** The built-in processor. */
export function builtInOf(processors: ProcessorRegistry): Processor {
  return processors.builtIn.connect({ connectionId: null, companyId: '', mode: 'test', credentials: {} });
}

/** The method of the built-in processor. */
export function builtInMethod(processors: ProcessorRegistry): PaymentMethod {
  return { kind: processors.builtIn, connectionId: null, isUp: true };
}
