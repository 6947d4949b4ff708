// What a test can do to a payment. Each runs the use cases that a customer, the sandbox or a bank would cause. Must not
// write a status.

import { type Static, type TObject, Type } from 'typebox';
import { errors } from '../base/errors.ts';
import { appendEvent } from '../events/append-event.ts';
import { oneOf } from '../http/schema-parts.ts';
import { cancelPayment } from '../links/cancel-payment.ts';
import { expireIfDue } from '../links/expire-payments.ts';
import { isUnopened, recordLinkOpened } from '../links/record-link-opened.ts';
import { requestLink } from '../links/request-link.ts';
import { lockPaymentByCode, updateOpenPayment } from '../payments/store.ts';
import { type BookingDeps, bookTransfer } from './book-transfer.ts';
import { payWithTestCard, requireOpen, requireView, type TestOrder } from './pay-with-test-card.ts';
import { escalatePayment, refundInTest, settlePayment } from './settle-payment.ts';

/** `newId`: an ID for what the action creates, the same in each run of a request. */
export type ActionOrder = TestOrder & { newId(prefix: 'ref' | 'bst'): string };

const cards = {
  succeeds: '4242424242424242',
  wrongAmount: '4000000000009052',
} as const;
const cardsByDecline = {
  generic_decline: '4000000000000002',
  insufficient_funds: '4000000000009995',
  incorrect_csc: '4000000000000127',
  expired_card: '4000000000000069',
  processing_error: '4000000000000119',
} as const;
const cardsByStatus = {
  processing: '4000000000009086',
  requires_action: '4000002760003184',
  unknown: '4000000000009011',
} as const;

const keysOf = <T extends object>(table: T) => Object.keys(table) as (keyof T & string)[];
const orDefault = <T extends string>(values: readonly T[], preset: T, description: string) =>
  Type.Optional(oneOf(values, `${description}. Default: ${preset}`));
const amount = (description: string) => Type.Optional(Type.Number({ description, examples: [5] }));
const bodyOf = <P extends Parameters<typeof Type.Object>[0]>(
  title: string,
  properties: P,
  example: Record<string, unknown> = {},
) => Type.Object(properties, { title, additionalProperties: false, examples: [example] });

/** The action is not possible before the payment has ended unpaid. */
const notEndedUnpaid = (state: string) =>
  errors.stateNotReachable({
    detail: `The payment is ${state}. A customer can ask for a new link once the payment has failed or expired.`,
  });

type TypedAction<Body extends TObject, Input = Static<Body>> = {
  operationId: string;
  summary: string;
  description: string;
  body: Body;
  run(deps: BookingDeps, order: ActionOrder, body: Input): Promise<void>;
};
/** `run` gets a body that fits `body`. */
export type PaymentAction = TypedAction<TObject, Readonly<Record<string, unknown>>>;
const action = <Body extends TObject>(one: TypedAction<Body>) => one as unknown as PaymentAction;

async function openLink(deps: BookingDeps, order: ActionOrder): Promise<void> {
  const view = await requireView(deps, order);
  requireOpen(view);
  if (isUnopened(view.payment)) await recordLinkOpened(deps, view.payment);
}

/** Ends the time of a link now, and expires it. */
async function expireLink(deps: BookingDeps, order: ActionOrder): Promise<void> {
  requireOpen(await requireView(deps, order));
  const at = deps.clock.now();
  await deps.db.inTenant(order, async (tx) => {
    const found = await lockPaymentByCode(tx, order.code);
    if (!found) throw errors.paymentNotFound();
    requireOpen({ payment: found });
    const ended = await updateOpenPayment(tx, found.paymentId, { expiresAt: at, metadata: null, at });
    if (!ended) throw new Error('a locked open payment could not be updated');
    const { paymentId, version } = ended;
    const data = { expiresAt: { from: found.expiresAt, to: at }, version };
    await appendEvent(tx, {
      type: 'payment.updated',
      isPublic: false,
      paymentId,
      actor: order.actor,
      data,
      at,
    });
    await expireIfDue(tx, ended, at);
  });
}

async function askForNewLink(deps: BookingDeps, order: ActionOrder): Promise<void> {
  const { payment } = await requireView(deps, order);
  if (payment.state !== 'failed' && payment.state !== 'expired') throw notEndedUnpaid(payment.state);
  await requestLink(deps, payment);
}

/** By the last part of the route. */
export const paymentActions = {
  open: action({
    operationId: 'testOpenPayment',
    summary: 'Open the link, as a customer does',
    description: 'The first time it causes `payment.opened`.',
    body: bodyOf('TestOpen', {}),
    run: openLink,
  }),
  pay: action({
    operationId: 'testPayPayment',
    summary: 'Pay with a test card',
    description: 'The payment is `paid` afterwards.',
    body: bodyOf('TestPay', {}),
    run: async (deps, order) => await payWithTestCard(deps, order, cards.succeeds),
  }),
  decline: action({
    operationId: 'testDeclinePayment',
    summary: 'Pay with a test card that is declined',
    description:
      'A generic decline makes the payment `failed`. After a decline that the customer can correct, the payment is open again, as long as the retry policy of the company allows it.',
    body: bodyOf(
      'TestDecline',
      {
        declineCode: orDefault(keysOf(cardsByDecline), 'generic_decline', 'Why the card is declined'),
      },
      { declineCode: 'insufficient_funds' },
    ),
    run: async (deps, order, { declineCode = 'generic_decline' }) =>
      await payWithTestCard(deps, order, cardsByDecline[declineCode]),
  }),
  process: action({
    operationId: 'testProcessPayment',
    summary: 'Begin to pay, without an outcome',
    description:
      'The payment is `processing` afterwards. An attempt in the status `processing` stays so until it is settled. For one that is `unknown`, the worker asks the sandbox after some seconds, and the payment is paid.',
    body: bodyOf(
      'TestProcess',
      {
        attemptStatus: orDefault(keysOf(cardsByStatus), 'processing', 'Status of the attempt'),
      },
      { attemptStatus: 'unknown' },
    ),
    run: async (deps, order, { attemptStatus = 'processing' }) =>
      await payWithTestCard(deps, order, cardsByStatus[attemptStatus]),
  }),
  settle: action({
    operationId: 'testSettlePayment',
    summary: 'End the live attempt, or the refund without an outcome',
    description: 'The sandbox decides as requested, then its outcome is recorded.',
    body: bodyOf(
      'TestSettle',
      {
        outcome: orDefault(['succeeded', 'declined'], 'succeeded', 'How it ends'),
      },
      { outcome: 'succeeded' },
    ),
    run: async (deps, order, { outcome = 'succeeded' }) => await settlePayment(deps, order, outcome),
  }),
  expire: action({
    operationId: 'testExpirePayment',
    summary: 'Expire the link now',
    description: 'Sets `expiresAt` to now. To let time pass for all payments, move the test clock.',
    body: bodyOf('TestExpire', {}),
    run: expireLink,
  }),
  cancel: action({
    operationId: 'testCancelPayment',
    summary: 'Cancel the link',
    description: 'The same as POST /v1/payments/{code}/cancel.',
    body: bodyOf('TestCancel', {}),
    run: async (deps, order) => {
      await cancelPayment(deps, order);
    },
  }),
  'request-link': action({
    operationId: 'testRequestPaymentLink',
    summary: 'Ask for a new link, as the customer of a failed or expired one',
    description: 'At most one request of a link within an hour causes an event.',
    body: bodyOf('TestLinkRequest', {}),
    run: askForNewLink,
  }),
  refund: action({
    operationId: 'testRefundPayment',
    summary: 'Refund the payment, with an outcome',
    description: 'A refund whose outcome is `unknown` stays so until it is settled.',
    body: bodyOf(
      'TestRefund',
      {
        amount: amount('Amount in major units. Default: the whole remaining amount'),
        outcome: orDefault(['succeeded', 'failed', 'unknown'], 'succeeded', 'How the sandbox responds'),
      },
      { amount: 5, outcome: 'succeeded' },
    ),
    run: async (deps, order, { amount, outcome = 'succeeded' }) =>
      await refundInTest(deps, order, {
        ...{ refundId: order.newId('ref'), outcome },
        ...(amount === undefined ? {} : { amount }),
      }),
  }),
  overpay: action({
    operationId: 'testOverpayPayment',
    summary: 'Pay with a test card that is charged a wrong amount',
    description: 'The money is an overpayment, which is refunded.',
    body: bodyOf('TestOverpay', {}),
    run: async (deps, order) => await payWithTestCard(deps, order, cards.wrongAmount),
  }),
  transfer: action({
    operationId: 'testTransferPayment',
    summary: 'Receive a bank transfer for the payment',
    description:
      'An open payment is first paid by bank transfer, for which the company needs a connection in test mode. Then a bank statement with one booking is imported.',
    body: bodyOf(
      'TestTransfer',
      {
        amount: amount('Amount in major units. Default: what is still due'),
        isReturn: Type.Optional(
          Type.Boolean({ description: 'The bank takes the money back, which a person must review' }),
        ),
      },
      { amount: 5 },
    ),
    run: async (deps, order, { amount, isReturn = false }) =>
      await bookTransfer(deps, order, {
        ...{ statementId: order.newId('bst'), isReturn },
        ...(amount === undefined ? {} : { amount }),
      }),
  }),
  escalate: action({
    operationId: 'testEscalatePayment',
    summary: 'Make the live attempt, or the refund without an outcome, a case',
    description: 'As after three days without an outcome. GET /v1/cases lists it.',
    body: bodyOf('TestEscalate', {}),
    run: async (deps, order) => await escalatePayment(deps, order),
  }),
} as const;

export type ActionName = keyof typeof paymentActions;
