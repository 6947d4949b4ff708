// `paylink trigger` and `paylink clock`: events and time on request, in test mode only. The service refuses a login of live
// mode.

import type { CausedEvent, TestClock, TestEventFields, TestEventType } from '../../sdk/src/index.ts';
import { type Currency, currencies } from '../base/money.ts';
import { readAmounts } from './amounts.ts';
import { clientCommand } from './client.ts';
import { type Command, fieldsOf, type ParsedArguments } from './command.ts';
import { usageError } from './command-error.ts';
import { readMetadata } from './payments.ts';

/** Every public type of event. */
export const triggeredTypes = [
  'payment.created',
  'payment.opened',
  'payment.processing',
  'payment.paid',
  'payment.failed',
  'payment.expired',
  'payment.cancelled',
  'payment.link_requested',
  'payment.partly_paid',
  'payment.transfer_review',
  'payment.late',
  'refund.created',
  'refund.succeeded',
  'refund.failed',
  'refund.escalated',
  'attempt.unknown',
  'attempt.resolved',
  'attempt.escalated',
  'mail.failed',
  'webhook_endpoint.disabled',
] as const satisfies readonly TestEventType[];

function readType(given: ParsedArguments): TestEventType {
  const wanted = given.argument('EVENT');
  const type = triggeredTypes.find((known) => known === wanted);
  if (!type) throw new Error(`nothing causes ${wanted}`);
  return type;
}

function readFields(given: ParsedArguments): TestEventFields {
  const currency = given.text('currency');
  if (currency !== undefined && !(currencies as readonly string[]).includes(currency))
    throw usageError(`--currency cannot be "${currency}".`);
  return {
    ...fieldsOf(given, {
      order: 'customerOrderId',
      email: 'email',
      'success-url': 'success_url',
      'failure-url': 'failure_url',
    }),
    ...(given.has('amount') ? readAmounts(given, { amount: 'amount' }) : {}),
    ...(currency === undefined ? {} : { currency: currency as Currency }),
    ...(given.has('metadata') ? { metadata: readMetadata(given) } : {}),
  };
}

function describe({ type, payment, refund }: CausedEvent): string {
  if (!payment) return `Caused ${type}.`;
  const what = refund
    ? `The refund ${refund.refundId} is ${refund.status}`
    : `The payment is ${payment.status}`;
  return `Caused ${type} for ${payment.PaymentLinkCode}. ${what}.`;
}

const trigger = clientCommand({
  name: 'trigger',
  summary: 'Cause an event in test mode',
  details:
    'The service creates a payment of 19.99 EUR, or as the options say, and does with it what causes the event.\n' +
    'Events about bank transfers need a connection to bank_transfer in test mode.',
  arguments: [{ name: 'EVENT', help: 'the event to cause', choices: triggeredTypes }],
  options: [
    { name: 'order', value: 'ID', help: 'the order ID; default: a new one' },
    { name: 'amount', value: 'AMOUNT', help: 'in major units; default: 19.99' },
    { name: 'currency', value: 'CODE', help: 'ISO 4217; default: EUR', choices: currencies },
    { name: 'email', value: 'EMAIL', help: "the customer's email address; default: ada@example.com" },
    { name: 'success-url', value: 'URL', help: 'where the customer goes after paying' },
    { name: 'failure-url', value: 'URL', help: 'where the customer goes if the payment failed' },
    { name: 'metadata', value: 'NAME=VALUE', help: 'a metadata entry', isRepeatable: true },
  ],
  examples: [
    'trigger payment.paid',
    'trigger refund.succeeded --amount 12.50 --order 1001 --metadata cart=7 --json',
  ],
  check: (given) => void readFields(given),
  run: async ({ client, given }) => {
    const caused = await client.testEvents.cause(readType(given), readFields(given));
    const { type, eventId, payment, refund } = caused;
    const { PaymentLinkCode = null, PaymentLink = null, status = null } = payment ?? {};
    return {
      json: { type, eventId, PaymentLinkCode, PaymentLink, status, refundId: refund?.refundId ?? null },
      lines: [describe(caused)],
    };
  },
});

const describeClock = ({ at, aheadSeconds, status }: TestClock) =>
  `${at}, ${aheadSeconds} s ahead of the real time${status === 'advancing' ? ', advancing' : ''}`;

const showClock = clientCommand({
  name: 'clock show',
  summary: 'Show the test clock',
  details: 'It is the time of the company in test mode.',
  examples: ['clock show'],
  run: async ({ client }) => {
    const clock = await client.testClock.get();
    return { json: clock, lines: [describeClock(clock)] };
  },
});

const advanceClock = clientCommand({
  name: 'clock advance',
  summary: 'Move the test clock forward',
  details: 'Links expire, reminders are sent, and webhooks are retried, as they would have in that time.',
  arguments: [{ name: 'DURATION', help: 'an ISO 8601 duration, such as P3D or PT90M' }],
  examples: ['clock advance P3D'],
  run: async ({ client, given }) => {
    const clock = await client.testClock.advance(given.argument('DURATION'));
    const done = Object.entries(clock.done).flatMap(([what, count]) => (count > 0 ? `${what} ${count}` : []));
    const rest = clock.isComplete ? '' : ' The service does the rest in the next seconds.';
    return {
      json: clock,
      lines: [describeClock(clock)],
      notes: [`Done: ${done.length === 0 ? 'nothing was due' : done.join(', ')}.${rest}`],
    };
  },
});

export const triggerCommands: readonly Command[] = [trigger, showClock, advanceClock];
