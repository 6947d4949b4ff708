// An attempt that turns paid while it is being given up at its processor counts as paid, whatever the processor answers
// to the call that gives it up: what holds afterwards is asked for, and that counts.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '../../src/base/clock.ts';
import { ResponseMismatchError } from '../../src/processors/check-response.ts';
import type {
  AttemptOutcome,
  AttemptRequest,
  Processor,
  ProcessorConnection,
} from '../../src/processors/processor.ts';
import { newConnection, newRequest } from '../processors/kit/rig.ts';
import { openApiStub, type StubRequest, type StubResponse } from './api-stub.ts';
import { type Faults, guarantee } from './plant.ts';

// Open before any test is registered: the pages of PayPal have its address.
const api = await openApiStub();
after(async () => await api.close());

const clock = systemClock;
const signal = () => AbortSignal.timeout(20_000);
const requestOf = (connection: ProcessorConnection, processorReference: string): AttemptRequest =>
  newRequest({ now: clock.now, cardFor: () => null }, connection, { processorReference });
const token = { status: 200, body: { access_token: 'A', token_type: 'Bearer', expires_in: 32_400 } };
const paid = (reference: string): AttemptOutcome => ({
  ...{ kind: 'succeeded', reference, amountMinor: 1999, currency: 'EUR' },
});

/** How an attempt stands at a processor once the call that gives it up was answered, and what that means. */
type Then = { state: object; means: AttemptOutcome };

/** A processor whose attempt waits for the customer, and how it is given up there. */
type Case = {
  name: string;
  modulePath: string;
  open(module: never, url: string): Processor;
  request: AttemptRequest;
  waiting: object;
  outcomes: readonly Then[];
  /** The call that gives it up, and the statuses by which it may be answered. */
  isCancelCall(asked: StubRequest): boolean;
  statuses: readonly number[];
  /** How the processor shows the attempt when it is asked. */
  show(state: object, asked: StubRequest): StubResponse | null;
  /** What the answer to the call itself shows: how it stood before. */
  faults: Faults;
};

const mollieConnection = newConnection({ apiKey: `test_${'x'.repeat(30)}` });
const mollieRequest = requestOf(mollieConnection, 'tr_12345678');
const molliePayment = (status: string, changes: object = {}) => ({
  ...{ resource: 'payment', id: 'tr_12345678', mode: 'test', status },
  amount: { currency: 'EUR', value: '19.99' },
  metadata: {
    company: mollieRequest.companyId,
    connection: mollieConnection.connectionId,
    attempt: mollieRequest.attemptId,
  },
  _links: status === 'open' ? { checkout: { href: 'https://mollie.example/pay' } } : {},
  ...changes,
});
const mollieOutcomes: readonly Then[] = [
  { state: molliePayment('canceled'), means: { kind: 'void' } },
  { state: molliePayment('expired'), means: { kind: 'void' } },
  { state: molliePayment('paid', { paidAt: '2026-03-01T12:00:00+00:00' }), means: paid('tr_12345678') },
  { state: molliePayment('pending'), means: { kind: 'processing', reference: 'tr_12345678' } },
  { state: molliePayment('authorized'), means: { kind: 'processing', reference: 'tr_12345678' } },
  {
    state: molliePayment('failed', { details: { failureReason: 'invalid_cvv' } }),
    means: { kind: 'declined', reference: 'tr_12345678', code: 'incorrect_csc' },
  },
  {
    state: molliePayment('open'),
    means: { kind: 'requires_action', reference: 'tr_12345678', url: 'https://mollie.example/pay' },
  },
];
const openMollie = (
  { createMollie }: typeof import('../../src/processors/mollie/mollie.ts'),
  apiUrl: string,
) => createMollie({ apiUrl, clock, baseUrl: apiUrl, proveAddress: () => '' }).connect(mollieConnection);
const mollie = {
  modulePath: 'src/processors/mollie/mollie.ts',
  open: openMollie,
  request: mollieRequest,
  outcomes: mollieOutcomes,
  show: (state: object, { path }: StubRequest) =>
    path === '/v2/payments/tr_12345678' ? { status: 200, body: state } : null,
};
const mollieFile = 'src/processors/mollie/payments.ts';

const stripeConnection = newConnection({ secretKey: 'sk_test_1', webhookSecret: 'whsec_1' });
const stripeRequest = requestOf(stripeConnection, 'cs_1');
const stripeSession = (status: string, intent: string | null) => {
  const shared = {
    livemode: false,
    currency: 'eur',
    metadata: {
      paylink_company: stripeRequest.companyId,
      paylink_connection: stripeConnection.connectionId,
      paylink_attempt: stripeRequest.attemptId,
    },
  };
  const payment_intent = intent && {
    ...{ id: 'pi_1', object: 'payment_intent', status: intent, amount: 1999, ...shared },
    ...{ amount_received: intent === 'succeeded' ? 1999 : 0, last_payment_error: null },
  };
  return {
    ...{ id: 'cs_1', object: 'checkout.session', status, amount_total: 1999, ...shared, payment_intent },
    client_reference_id: stripeRequest.attemptId,
    url: status === 'open' ? 'https://checkout.stripe.com/c/pay/cs_1' : null,
  };
};

const paypalConnection = newConnection({ clientId: 'AW', clientSecret: 'EJ', webhookId: '1FAKE' });
const paypalRequest = requestOf(paypalConnection, 'ORDER1');
const custom_id = `${paypalRequest.attemptId}/${paypalConnection.connectionId}/${paypalRequest.companyId}`;
const amount = { currency_code: 'EUR', value: '19.99' };
const captureOf = (status: string, place = 1, changes: object = {}) => ({
  ...{ id: `CAPTURE${place}`, status, amount, custom_id, ...changes },
});
const orderOf = (status: string, captures: object[] = [], intent = 'CAPTURE') => ({
  ...{ id: 'ORDER1', status, intent },
  purchase_units: [{ custom_id, amount, payments: { captures } }],
  links: [{ rel: 'payer-action', href: `${api.url}/checkoutnow?token=ORDER1` }],
});
const openPaypal = (
  { createPaypal }: typeof import('../../src/processors/paypal/paypal.ts'),
  apiUrl: string,
) => createPaypal({ apiUrl, clock }).connect(paypalConnection);
const showOrder = (state: object, { path }: StubRequest) => {
  if (path === '/v1/oauth2/token') return token;
  return path === '/v2/checkout/orders/ORDER1' ? { status: 200, body: state } : null;
};

const cases: readonly Case[] = [
  {
    name: 'Mollie (open)',
    ...mollie,
    waiting: molliePayment('open', { isCancelable: true }),
    isCancelCall: ({ method }) => method === 'DELETE',
    statuses: [200, 204, 404, 409, 410, 422],
    faults: {
      [mollieFile]: {
        "if (response.status >= 500) throw unexpectedResponse('a cancellation', response);": {
          'Mollie’s response to the DELETE counts as final':
            "if (response.status >= 500) throw unexpectedResponse('a cancellation', response);\n  if (response.status < 300) return { kind: 'void' };",
          'a refused DELETE counts as a waiting payment':
            'if (response.status >= 400) return toPlainOutcome(payment);',
        },
        "if (!payment.isCancelable && payment.status !== 'authorized')": {
          'a cancelable payment is not cancelled': "if (payment.status !== 'authorized')",
        },
      },
    },
  },
  {
    name: 'Mollie (authorized)',
    ...mollie,
    waiting: molliePayment('authorized'),
    isCancelCall: ({ path }) => path.endsWith('/release-authorization'),
    statuses: [202, 422],
    faults: {
      [mollieFile]: {
        [`    await releaseAuthorization(deps.api, payment.id, request.attemptId);
    return toPlainOutcome(await fetchPayment(deps, request, payment.id));`]: {
          'a requested release counts as released': `    await releaseAuthorization(deps.api, payment.id, request.attemptId);
    return { kind: 'void' };`,
        },
        "if (!payment.isCancelable && payment.status !== 'authorized')": {
          'an authorization is not released': 'if (!payment.isCancelable)',
        },
      },
    },
  },
  {
    name: 'Stripe',
    modulePath: 'src/processors/stripe/stripe.ts',
    open: ({ createStripe }: typeof import('../../src/processors/stripe/stripe.ts'), apiUrl) =>
      createStripe({ apiUrl, clock }).connect(stripeConnection),
    request: stripeRequest,
    waiting: stripeSession('open', null),
    outcomes: [
      { state: stripeSession('expired', null), means: { kind: 'void' } },
      { state: stripeSession('expired', 'canceled'), means: { kind: 'void' } },
      { state: stripeSession('complete', 'succeeded'), means: paid('pi_1') },
      { state: stripeSession('expired', 'succeeded'), means: paid('pi_1') },
      { state: stripeSession('complete', 'processing'), means: { kind: 'processing', reference: 'cs_1' } },
    ],
    isCancelCall: ({ path }) => path.endsWith('/expire'),
    statuses: [200, 400],
    show: (state, { path }) => (path === '/v1/checkout/sessions/cs_1' ? { status: 200, body: state } : null),
    faults: {
      'src/processors/stripe/sessions.ts': {
        'await callStripe(account, (api) => api.checkout.sessions.expire(session.id));': {
          'Stripe’s response to `expire` counts as final':
            "await callStripe(account, (api) => api.checkout.sessions.expire(session.id));\n    return { kind: 'void' };",
        },
        'if (!(error instanceof StripeRequestError && error.status === 400)) throw error;': {
          'a session that can’t be expired is void':
            "if (!(error instanceof StripeRequestError && error.status === 400)) throw error;\n    return { kind: 'void' };",
        },
        "if (session.status !== 'open') return sessionOutcome(session);": {
          'an open session is not expired': 'if (session) return sessionOutcome(session);',
        },
      },
    },
  },
  ...['PAYER_ACTION_REQUIRED', 'APPROVED'].map(
    (status): Case => ({
      name: `PayPal (${status})`,
      modulePath: 'src/processors/paypal/paypal.ts',
      open: openPaypal,
      request: paypalRequest,
      waiting: orderOf(status),
      outcomes: [
        { state: orderOf(status, [], 'AUTHORIZE'), means: { kind: 'void' } },
        // PayPal may return an outdated order. It is not captured any more.
        { state: orderOf(status), means: { kind: 'void' } },
        { state: orderOf('VOIDED'), means: { kind: 'void' } },
        { state: orderOf('COMPLETED', [captureOf('COMPLETED')]), means: paid('ORDER1') },
        { state: orderOf('APPROVED', [captureOf('COMPLETED')], 'AUTHORIZE'), means: paid('ORDER1') },
        {
          state: orderOf('COMPLETED', [captureOf('PENDING')], 'AUTHORIZE'),
          means: { kind: 'processing', reference: 'ORDER1' },
        },
      ],
      isCancelCall: ({ method }) => method === 'PATCH',
      statuses: [204, 400, 404, 422],
      show: showOrder,
      faults: {
        'src/processors/paypal/attempts.ts': {
          ...(status === 'APPROVED'
            ? {}
            : {
                "if (outcome.kind !== 'requires_action' && outcome.kind !== 'approved') return outcome;": {
                  'a waiting order is not changed':
                    "if (outcome.kind !== 'approved') return { kind: 'void' };",
                },
              }),
          'const known = { ...request, processorReference: order.orderId };': {
            'PayPal’s response to the PATCH counts as final':
              "if (response.status === 204) return { kind: 'void' };\n  const known = { ...request, processorReference: order.orderId };",
            'an order whose intent can’t be changed is void':
              "if (response.status !== 204) return { kind: 'void' };\n  const known = { ...request, processorReference: order.orderId };",
          },
        },
      },
    }),
  ),
];

for (const one of cases)
  guarantee<never>(
    `a payment that succeeds while it is being cancelled counts as paid: ${one.name}`,
    one.modulePath,
    async (module) => {
      const processor = one.open(module, api.url);
      for (const status of one.statuses)
        for (const { state, means } of one.outcomes) {
          let isCancelled = false;
          api.answer((asked) => {
            if (!one.isCancelCall(asked)) return one.show(isCancelled ? state : one.waiting, asked);
            isCancelled = true;
            const error = { error: { type: 'invalid_request_error', message: 'no' } };
            // The response shows the earlier state; the payment succeeds after it.
            return { status, ...(status === 204 ? {} : { body: status < 300 ? one.waiting : error }) };
          });
          const said = await processor.cancel(one.request, signal());
          assert.ok(isCancelled, 'it was cancelled at the processor');
          assert.deepEqual(said, means, `response ${status}, then ${JSON.stringify(state)}`);
        }
      // Without a response the outcome is unknown.
      for (const status of [500, 503]) {
        api.answer((asked) =>
          one.isCancelCall(asked) ? { status, body: {} } : one.show(one.waiting, asked),
        );
        await assert.rejects(processor.cancel(one.request, signal()));
      }
    },
    one.faults,
  );

const captureStatuses = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'PENDING', 'DECLINED', 'FAILED'];
const isCaptured = (status: string) =>
  captureStatuses.indexOf(status) < 3 && captureStatuses.includes(status);

/** The meaning of all captures of an order, in any order. */
function meaningOf(statuses: readonly string[]): string {
  const capturedCount = statuses.filter(isCaptured).length;
  if (capturedCount > 1) return 'throws';
  if (capturedCount === 1) return 'succeeded';
  if (statuses.includes('PENDING')) return 'processing';
  return statuses.every((status) => status === 'DECLINED' || status === 'FAILED') ? 'declined' : 'throws';
}

guarantee<never>(
  'captures of a PayPal order mean the same in every order: captured, else pending, else declined',
  'src/processors/paypal/paypal.ts',
  async (module) => {
    const processor = openPaypal(module, api.url);
    const judge = async (statuses: readonly string[], changes: (place: number) => object = () => ({})) => {
      const captures = statuses.map((status, place) => captureOf(status, place, changes(place)));
      api.answer((asked) => showOrder(orderOf('COMPLETED', captures), asked));
      return await processor.query(paypalRequest, signal()).then(
        (said) => said,
        (error: Error) => {
          assert.ok(!(error instanceof ResponseMismatchError));
          return null;
        },
      );
    };
    const strange = fc.constantFrom(...captureStatuses, ...captureStatuses, 'MAYBE', 'pending');
    const proof = fc.asyncProperty(fc.array(strange, { minLength: 1, maxLength: 4 }), async (statuses) => {
      assert.equal((await judge(statuses))?.kind ?? 'throws', meaningOf(statuses), statuses.join());
    });
    const pairs = ['PENDING', 'DECLINED', 'MAYBE', 'COMPLETED', 'FAILED'];
    const examples = pairs.flatMap((one) => pairs.map((other): [string[]] => [[one, other]]));
    await fc.assert(proof, { numRuns: 80 + examples.length, examples });
    // A partially captured and refunded order is void, unless another capture is pending.
    const part = { amount: { currency_code: 'EUR', value: '5.00' } };
    const partFirst = (place: number) => (place === 0 ? part : {});
    assert.equal((await judge(['REFUNDED'], partFirst))?.kind, 'void');
    assert.equal((await judge(['REFUNDED', 'PENDING'], partFirst))?.kind, 'processing');
    assert.equal((await judge(['REFUNDED', 'DECLINED'], partFirst))?.kind, 'void');
    assert.equal((await judge(['PARTIALLY_REFUNDED'], partFirst))?.kind, 'succeeded');
    // The code is that of the last decline.
    const codes = ['9500', '5400'];
    const declined = await judge(['DECLINED', 'DECLINED'], (place) => ({
      processor_response: { response_code: codes[place] },
    }));
    assert.deepEqual(declined, { kind: 'declined', reference: 'ORDER1', code: 'expired_card' });
  },
  {
    'src/processors/paypal/order.ts': {
      'pending ?? captures.find': {
        'the first capture counts': 'captures[0] ?? captures.find',
        'the last capture counts': 'captures.at(-1) ?? captures.find',
      },
      '!declinedStatuses.has(status)) ?? captures': {
        'an unknown status is ignored': "status === '') ?? captures",
      },
      "if (status === 'PENDING') return { kind: 'processing', reference };": {
        'a pending capture is declined':
          "if (status === 'PENDING') return { kind: 'declined', reference, code: 'source_declined' };",
      },
      "new Set(['DECLINED', 'FAILED'])": { 'a failed capture is pending': "new Set(['DECLINED'])" },
      "'PARTIALLY_REFUNDED', 'REFUNDED'])": {
        'a refunded capture was never captured': "'PARTIALLY_REFUNDED'])",
      },
      "'PARTIALLY_REFUNDED', ": { 'a partially refunded capture was never captured': '' },
      "if (others.length > 0) throw new Error('PayPal took": {
        'two captures count as one': "if (others.length > 9) throw new Error('PayPal took",
      },
      "if (isPart && money.status === 'REFUNDED')": {
        'a refunded partial capture counts as captured': 'if (!money)',
        'a refunded full capture was never captured': "if (money?.status === 'REFUNDED')",
      },
      "order.captures.some((one) => one.status === 'PENDING')": {
        'a refunded partial capture ends an order with a pending capture': 'order.captures.length > 9',
      },
    },
  },
);
