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
import { type Fault, guarantee } from './plant.ts';

// Open before any test is registered: the pages of PayPal have its address.
const door = await openApiStub();
after(async () => await door.close());

const clock = systemClock;
const signal = () => AbortSignal.timeout(20_000);
const requestOf = (connection: ProcessorConnection, processorReference: string): AttemptRequest =>
  newRequest({ now: clock.now, cardFor: () => null }, connection, { processorReference });
const token = { status: 200, body: { access_token: 'A', token_type: 'Bearer', expires_in: 32_400 } };
const paid = (reference: string): AttemptOutcome => ({
  ...{ kind: 'succeeded', reference, amountMinor: 1999, currency: 'EUR' },
});

/** How an attempt stands at a processor once the call that gives it up was answered, and what that means. */
type Then = { thing: object; means: AttemptOutcome };

/** A processor whose attempt waits for the customer, and how it is given up there. */
type Case = {
  name: string;
  modulePath: string;
  open(module: never, url: string): Processor;
  request: AttemptRequest;
  waiting: object;
  thens: readonly Then[];
  /** The call that gives it up, and the statuses by which it may be answered. */
  isGivingUp(asked: StubRequest): boolean;
  statuses: readonly number[];
  /** How the processor shows the attempt when it is asked. */
  show(thing: object, asked: StubRequest): StubResponse | null;
  /** What the answer to the call itself shows: how it stood before. */
  faults: readonly Fault[];
};

const mollieConnection = newConnection({ apiKey: `test_${'x'.repeat(30)}` });
const mollieRequest = requestOf(mollieConnection, 'tr_12345678');
const mollieThing = (status: string, changes: object = {}) => ({
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
const mollieThens: readonly Then[] = [
  { thing: mollieThing('canceled'), means: { kind: 'void' } },
  { thing: mollieThing('expired'), means: { kind: 'void' } },
  { thing: mollieThing('paid', { paidAt: '2026-03-01T12:00:00+00:00' }), means: paid('tr_12345678') },
  { thing: mollieThing('pending'), means: { kind: 'processing', reference: 'tr_12345678' } },
  { thing: mollieThing('authorized'), means: { kind: 'processing', reference: 'tr_12345678' } },
  {
    thing: mollieThing('failed', { details: { failureReason: 'invalid_cvv' } }),
    means: { kind: 'declined', reference: 'tr_12345678', code: 'incorrect_csc' },
  },
  {
    thing: mollieThing('open'),
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
  thens: mollieThens,
  show: (thing: object, { path }: StubRequest) =>
    path === '/v2/payments/tr_12345678' ? { status: 200, body: thing } : null,
};
const mollieFile = 'src/processors/mollie/payments.ts';

const stripeConnection = newConnection({ secretKey: 'sk_test_1', webhookSecret: 'whsec_1' });
const stripeRequest = requestOf(stripeConnection, 'cs_1');
const stripeThing = (status: string, intent: string | null) => {
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
  links: [{ rel: 'payer-action', href: `${door.url}/checkoutnow?token=ORDER1` }],
});
const openPaypal = (
  { createPaypal }: typeof import('../../src/processors/paypal/paypal.ts'),
  apiUrl: string,
) => createPaypal({ apiUrl, clock }).connect(paypalConnection);
const showOrder = (thing: object, { path }: StubRequest) => {
  if (path === '/v1/oauth2/token') return token;
  return path === '/v2/checkout/orders/ORDER1' ? { status: 200, body: thing } : null;
};

const cases: readonly Case[] = [
  {
    name: 'Mollie, where it is open',
    ...mollie,
    waiting: mollieThing('open', { isCancelable: true }),
    isGivingUp: ({ method }) => method === 'DELETE',
    statuses: [200, 204, 404, 409, 410, 422],
    faults: [
      {
        fault: 'Mollie’s answer to the DELETE is taken for the end',
        file: mollieFile,
        from: "if (response.status >= 500) throw unexpectedResponse('a cancellation', response);",
        to: "if (response.status >= 500) throw unexpectedResponse('a cancellation', response);\n  if (response.status < 300) return { kind: 'void' };",
      },
      {
        fault: 'a DELETE that is refused is taken for a payment that waits',
        file: mollieFile,
        from: "if (response.status >= 500) throw unexpectedResponse('a cancellation', response);",
        to: 'if (response.status >= 400) return toPlainOutcome(payment);',
      },
      {
        fault: 'a payment that Mollie lets us cancel is not cancelled',
        file: mollieFile,
        from: "if (!payment.isCancelable && payment.status !== 'authorized')",
        to: "if (payment.status !== 'authorized')",
      },
    ],
  },
  {
    name: 'Mollie, where its money is held',
    ...mollie,
    waiting: mollieThing('authorized'),
    isGivingUp: ({ path }) => path.endsWith('/release-authorization'),
    statuses: [202, 422],
    faults: [
      {
        fault: 'money that was to be let go counts as let go',
        file: mollieFile,
        from: `    await releaseAuthorization(deps.api, payment.id, request.attemptId);
    return toPlainOutcome(await fetchPayment(deps, request, payment.id));`,
        to: `    await releaseAuthorization(deps.api, payment.id, request.attemptId);
    return { kind: 'void' };`,
      },
      {
        fault: 'money that Mollie holds is not let go',
        file: mollieFile,
        from: "if (!payment.isCancelable && payment.status !== 'authorized')",
        to: 'if (!payment.isCancelable)',
      },
    ],
  },
  {
    name: 'Stripe',
    modulePath: 'src/processors/stripe/stripe.ts',
    open: ({ createStripe }: typeof import('../../src/processors/stripe/stripe.ts'), apiUrl) =>
      createStripe({ apiUrl, clock }).connect(stripeConnection),
    request: stripeRequest,
    waiting: stripeThing('open', null),
    thens: [
      { thing: stripeThing('expired', null), means: { kind: 'void' } },
      { thing: stripeThing('expired', 'canceled'), means: { kind: 'void' } },
      { thing: stripeThing('complete', 'succeeded'), means: paid('pi_1') },
      { thing: stripeThing('expired', 'succeeded'), means: paid('pi_1') },
      { thing: stripeThing('complete', 'processing'), means: { kind: 'processing', reference: 'cs_1' } },
    ],
    isGivingUp: ({ path }) => path.endsWith('/expire'),
    statuses: [200, 400],
    show: (thing, { path }) => (path === '/v1/checkout/sessions/cs_1' ? { status: 200, body: thing } : null),
    faults: [
      {
        fault: 'Stripe’s answer to `expire` is taken for the end',
        file: 'src/processors/stripe/sessions.ts',
        from: 'await callStripe(account, (api) => api.checkout.sessions.expire(session.id));',
        to: "await callStripe(account, (api) => api.checkout.sessions.expire(session.id));\n    return { kind: 'void' };",
      },
      {
        fault: 'a session that can’t be expired is void',
        file: 'src/processors/stripe/sessions.ts',
        from: 'if (!(error instanceof StripeRequestError && error.status === 400)) throw error;',
        to: "if (!(error instanceof StripeRequestError && error.status === 400)) throw error;\n    return { kind: 'void' };",
      },
      {
        fault: 'a session that waits is not expired',
        file: 'src/processors/stripe/sessions.ts',
        from: "if (session.status !== 'open') return sessionOutcome(session);",
        to: 'if (session) return sessionOutcome(session);',
      },
    ],
  },
  ...['PAYER_ACTION_REQUIRED', 'APPROVED'].map(
    (status): Case => ({
      name: `PayPal, where it is ${status}`,
      modulePath: 'src/processors/paypal/paypal.ts',
      open: openPaypal,
      request: paypalRequest,
      waiting: orderOf(status),
      thens: [
        { thing: orderOf(status, [], 'AUTHORIZE'), means: { kind: 'void' } },
        // PayPal may show the order as it was: nobody captures it any more.
        { thing: orderOf(status), means: { kind: 'void' } },
        { thing: orderOf('VOIDED'), means: { kind: 'void' } },
        { thing: orderOf('COMPLETED', [captureOf('COMPLETED')]), means: paid('ORDER1') },
        { thing: orderOf('APPROVED', [captureOf('COMPLETED')], 'AUTHORIZE'), means: paid('ORDER1') },
        {
          thing: orderOf('COMPLETED', [captureOf('PENDING')], 'AUTHORIZE'),
          means: { kind: 'processing', reference: 'ORDER1' },
        },
      ],
      isGivingUp: ({ method }) => method === 'PATCH',
      statuses: [204, 400, 404, 422],
      show: showOrder,
      faults: [
        {
          fault: 'PayPal’s answer to the PATCH is taken for the end',
          file: 'src/processors/paypal/attempts.ts',
          from: 'const known = { ...request, processorReference: order.orderId };',
          to: "if (status === 204) return { kind: 'void' };\n  const known = { ...request, processorReference: order.orderId };",
        },
        {
          fault: 'an order whose intent can’t be changed is void',
          file: 'src/processors/paypal/attempts.ts',
          from: 'const known = { ...request, processorReference: order.orderId };',
          to: "if (status !== 204) return { kind: 'void' };\n  const known = { ...request, processorReference: order.orderId };",
        },
        {
          fault: 'an order that waits is not changed',
          file: 'src/processors/paypal/attempts.ts',
          from: "if (outcome.kind !== 'requires_action' && outcome.kind !== 'approved') return outcome;",
          to: "if (outcome.kind !== 'approved') return { kind: 'void' };",
        },
      ].slice(0, status === 'APPROVED' ? 2 : 3),
    }),
  ),
];

for (const one of cases)
  guarantee<never>(
    `what becomes paid while it is given up counts as paid, at ${one.name}`,
    one.modulePath,
    async (module) => {
      const processor = one.open(module, door.url);
      for (const status of one.statuses)
        for (const { thing, means } of one.thens) {
          let isGivenUp = false;
          door.answer((asked) => {
            if (!one.isGivingUp(asked)) return one.show(isGivenUp ? thing : one.waiting, asked);
            isGivenUp = true;
            const error = { error: { type: 'invalid_request_error', message: 'no' } };
            // It answers with how the attempt was: the race is lost after that.
            return { status, ...(status === 204 ? {} : { body: status < 300 ? one.waiting : error }) };
          });
          const said = await processor.cancel(one.request, signal());
          assert.ok(isGivenUp, 'it was given up at the processor');
          assert.deepEqual(said, means, `answered with ${status}, and then ${JSON.stringify(thing)}`);
        }
      // Without an answer to the call nobody knows.
      for (const status of [500, 503]) {
        door.answer((asked) => (one.isGivingUp(asked) ? { status, body: {} } : one.show(one.waiting, asked)));
        await assert.rejects(processor.cancel(one.request, signal()));
      }
    },
    one.faults,
  );

const captureStatuses = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'PENDING', 'DECLINED', 'FAILED'];
const isTaken = (status: string) => captureStatuses.indexOf(status) < 3 && captureStatuses.includes(status);

/** What captures of one order mean together, in whatever order PayPal shows them. */
function meaningOf(statuses: readonly string[]): string {
  const takenCount = statuses.filter(isTaken).length;
  if (takenCount > 1) return 'throws';
  if (takenCount === 1) return 'succeeded';
  if (statuses.includes('PENDING')) return 'processing';
  return statuses.every((status) => status === 'DECLINED' || status === 'FAILED') ? 'declined' : 'throws';
}

guarantee<never>(
  'captures of one PayPal order mean the same in every order: taken, else under way while one is, else declined',
  'src/processors/paypal/paypal.ts',
  async (module) => {
    const processor = openPaypal(module, door.url);
    const judge = async (statuses: readonly string[], changes: (place: number) => object = () => ({})) => {
      const captures = statuses.map((status, place) => captureOf(status, place, changes(place)));
      door.answer((asked) => showOrder(orderOf('COMPLETED', captures), asked));
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
    // A part that went back took nothing, unless a further capture is under way.
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
  [
    ['the first capture counts', 'pending ?? captures.find', 'captures[0] ?? captures.find'],
    ['the last capture counts', 'pending ?? captures.find', 'captures.at(-1) ?? captures.find'],
    [
      'a state that nobody knows is passed over',
      '!declinedStatuses.has(status)) ?? captures',
      "status === '') ?? captures",
    ],
    [
      'a capture that is pending has been declined',
      "if (status === 'PENDING') return { kind: 'processing', reference };",
      "if (status === 'PENDING') return { kind: 'declined', reference, code: 'source_declined' };",
    ],
    ['a capture that failed is under way', "new Set(['DECLINED', 'FAILED'])", "new Set(['DECLINED'])"],
    ['money that went back was never taken', "'PARTIALLY_REFUNDED', 'REFUNDED'])", "'PARTIALLY_REFUNDED'])"],
    ['money of which a part went back was never taken', "'PARTIALLY_REFUNDED', ", ''],
    [
      'money taken twice counts once',
      "if (others.length > 0) throw new Error('PayPal took",
      "if (others.length > 9) throw new Error('PayPal took",
    ],
    [
      'a part that went back is reported as taken',
      "if (isPart && money.status === 'REFUNDED')",
      'if (!money)',
    ],
    [
      'a whole that went back was never taken',
      "if (isPart && money.status === 'REFUNDED')",
      "if (money?.status === 'REFUNDED')",
    ],
    [
      'a part that went back ends an order with a pending capture',
      "order.captures.some((one) => one.status === 'PENDING')",
      'order.captures.length > 9',
    ],
  ].map(([fault = '', from = '', to = '']) => ({ fault, file: 'src/processors/paypal/order.ts', from, to })),
);
