// Every status of a payment at each live processor, in every combination that its responses can have, means what its
// documentation says. An unexplained combination throws, and never counts as final.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { systemClock as clock } from '../../src/base/clock.ts';
import type { AttemptRequest, Processor, ProcessorConnection } from '../../src/processors/processor.ts';
import { newConnection, newRequest } from '../processors/kit/rig.ts';
import { openApiStub } from './api-stub.ts';
import { guarantee } from './plant.ts';

// Opened before tests are registered: responses of PayPal contain its address.
const api = await openApiStub();
after(async () => await api.close());

const signal = () => AbortSignal.timeout(20_000);
const requestOf = (connection: ProcessorConnection, processorReference: string): AttemptRequest =>
  newRequest({ now: clock.now, cardFor: () => null }, connection, { processorReference });

/** The outcome of an attempt for this response: its kind and decline code; `throws` if it is unknown. */
async function judge(processor: Processor, request: AttemptRequest, thing: object): Promise<string> {
  api.answer(({ path }) =>
    path === '/v1/oauth2/token'
      ? { status: 200, body: { access_token: 'A', token_type: 'Bearer', expires_in: 32_400 } }
      : { status: 200, body: thing },
  );
  try {
    const said = await processor.query(request, signal());
    if (said?.kind === 'succeeded') return `succeeded ${said.amountMinor} ${said.currency}`;
    return said?.kind === 'declined' ? `declined ${said.code}` : (said?.kind ?? 'null');
  } catch (error) {
    assert.ok(!(error instanceof TypeError), String(error));
    return 'throws';
  }
}

const stripeConnection = newConnection({ secretKey: 'sk_test_1', webhookSecret: 'whsec_1' });
const stripeRequest = requestOf(stripeConnection, 'cs_1');

type StripeState = { status: string; intent: string | null; hasError: boolean; hasUrl: boolean };

function sessionOf({ status, intent, hasError, hasUrl }: StripeState): object {
  const shared = {
    ...{ livemode: false, currency: 'eur' },
    metadata: {
      paylink_company: stripeRequest.companyId,
      paylink_connection: stripeConnection.connectionId,
      paylink_attempt: stripeRequest.attemptId,
    },
  };
  return {
    ...{ id: 'cs_1', object: 'checkout.session', status, amount_total: 1999, ...shared },
    client_reference_id: stripeRequest.attemptId,
    url: hasUrl ? 'https://checkout.stripe.com/c/pay/cs_1' : null,
    payment_intent: intent && {
      ...{ id: 'pi_1', object: 'payment_intent', status: intent, amount: 1999, ...shared },
      amount_received: intent === 'succeeded' ? 1998 : 0,
      last_payment_error: hasError ? { code: 'expired_card', type: 'card_error' } : null,
    },
  };
}

/** docs.stripe.com/api/checkout/sessions/object and /payments/paymentintents/lifecycle. */
function meaningOfSession({ status, intent, hasError, hasUrl }: StripeState): string {
  const ended = hasError ? 'declined expired_card' : 'void';
  if (intent === 'succeeded') return 'succeeded 1998 EUR';
  if (status === 'open' && hasUrl) return 'requires_action';
  const means: Record<string, Record<string, string>> = {
    open: { processing: 'processing' },
    complete: {
      ...{ processing: 'processing', requires_action: 'processing' },
      ...{ requires_payment_method: ended, canceled: ended },
    },
    expired: { none: 'void', requires_payment_method: ended, canceled: ended, requires_action: ended },
  };
  return means[status]?.[intent ?? 'none'] ?? 'throws';
}

guarantee<typeof import('../../src/processors/stripe/stripe.ts')>(
  'a Stripe session with its payment intent means what is documented, in every combination of statuses',
  'src/processors/stripe/stripe.ts',
  async ({ createStripe }) => {
    const processor = createStripe({ apiUrl: api.url, clock }).connect(stripeConnection);
    const intents = [
      ...[null, 'requires_payment_method', 'requires_confirmation', 'requires_action', 'processing'],
      ...['requires_capture', 'canceled', 'succeeded', 'almost'],
    ];
    for (const status of ['open', 'complete', 'expired', 'almost'])
      for (const intent of intents)
        for (const hasError of [false, true])
          for (const hasUrl of [false, true]) {
            const state = { status, intent, hasError, hasUrl };
            const said = await judge(processor, stripeRequest, sessionOf(state));
            assert.equal(said, meaningOfSession(state), JSON.stringify(state));
          }
  },
  {
    'src/processors/stripe/session-outcome.ts': {
      "if (intent?.status === 'succeeded')": {
        'a canceled intent counts as paid':
          "if (intent?.status === 'succeeded' || intent?.status === 'canceled')",
        'a paid intent counts only with a complete session':
          "if (intent?.status === 'succeeded' && status === 'complete')",
      },
      "receivedMinor: readMinor(fields, 'amount_received')": {
        'the requested amount counts as received': "receivedMinor: readMinor(fields, 'amount')",
      },
      "status === 'open' && url !== null": {
        'an open session without a page requires an action': "status === 'open'",
      },
      "if (status === 'open' && url !== null)": {
        'an open session with a pending intent requires no action':
          "if (status === 'open' && url !== null && !isUnderWay)",
      },
      "if (status === 'open' && isUnderWay)": {
        'an open session without a page is processing': "if (status === 'open')",
      },
      "isUnderWay || intent?.status === 'requires_action'))": {
        'a complete session with an open challenge is unknown': 'isUnderWay))',
      },
      "if (status === 'complete' && (isUnderWay": { 'an expired session is processing': 'if ((isUnderWay' },
      "if (status === 'complete' && intent && isOver) return endedOutcome(session);": {
        'a complete session without a payment is not declined': '',
      },
      "if (status === 'complete' && intent && isOver)": {
        'a complete session without an intent is final': "if (status === 'complete' && isOver)",
      },
      "intent.status === 'requires_payment_method' || ": {
        'an intent that waits for a payment method is not final': '',
      },
      " || intent.status === 'canceled'": { 'a canceled intent is not final': '' },
      "(isOver || intent?.status === 'requires_action')": {
        'an expired session with an open challenge is unknown': '(isOver)',
      },
      "if (status === 'expired' && (isOver || intent?.status === 'requires_action'))": {
        'an expired session is final, whatever its intent': "if (status === 'expired')",
      },
      'if (!intent?.lastError) return': { 'a final decline is void': 'if (intent) return' },
    },
  },
);

const mollieConnection = newConnection({ apiKey: `test_${'x'.repeat(30)}` });
const mollieRequest = requestOf(mollieConnection, 'tr_12345678');
const euros = (value: string) => ({ currency: 'EUR', value });

guarantee<typeof import('../../src/processors/mollie/mollie.ts')>(
  'a Mollie payment means what is documented, in every status',
  'src/processors/mollie/mollie.ts',
  async ({ createMollie }) => {
    const kind = createMollie({ apiUrl: api.url, clock, baseUrl: api.url, proveAddress: () => '' });
    const processor = kind.connect(mollieConnection);
    const { companyId: company, attemptId: attempt } = mollieRequest;
    const metadata = { company, connection: mollieConnection.connectionId, attempt };
    const check = async (status: string, changes: object, means: string) => {
      const payment = {
        ...{ resource: 'payment', id: 'tr_12345678', mode: 'test', status, amount: euros('19.99') },
        ...{ metadata, _links: {}, ...changes },
      };
      assert.equal(await judge(processor, mollieRequest, payment), means, JSON.stringify(payment));
    };
    const checkout = { _links: { checkout: { href: 'https://mollie.example/pay' } } };
    const voidMarker = { metadata: { ...metadata, void: true } };
    // docs.mollie.com/docs/status-change. Some methods have no page while they are open.
    for (const [status, means] of [
      ['open', 'processing'],
      ['pending', 'processing'],
      ['authorized', 'approved'],
      ['canceled', 'void'],
      ['expired', 'void'],
      ['failed', 'declined source_declined'],
      ['paid', 'succeeded 1999 EUR'],
      ['almost', 'throws'],
    ] as const) {
      await check(status, {}, means);
      await check(status, checkout, status === 'open' ? 'requires_action' : means);
      // A payment created only to use up an idempotency key is void, unless somebody paid it.
      await check(status, voidMarker, status === 'paid' || status === 'almost' ? means : 'void');
      // Captured and refunded amounts mean nothing before a payment is paid.
      const moved = { amountCaptured: euros('5.00'), amountRefunded: euros('5.00') };
      await check(status, moved, status === 'paid' ? 'void' : means);
    }
    const [part, whole] = [euros('12.00'), euros('19.99')];
    await check('paid', { amountCaptured: part }, 'succeeded 1200 EUR');
    await check('paid', { amountCaptured: part, amountRefunded: euros('11.99') }, 'succeeded 1200 EUR');
    await check('paid', { amountCaptured: part, amountRefunded: part }, 'void');
    await check('paid', { amountCaptured: whole, amountRefunded: whole }, 'succeeded 1999 EUR');
    await check('paid', { amountCaptured: { currency: 'USD', value: '19.99' } }, 'succeeded 1999 USD');
    await check('failed', { details: { failureReason: 'card_expired' } }, 'declined expired_card');
    await check('failed', { statusReason: { code: 'invalid_cvv' } }, 'declined incorrect_csc');
  },
  {
    'src/processors/mollie/payments.ts': {
      'return isPart && isRefunded ?': {
        'a refunded partial capture counts as captured': 'return !isPart && !isRefunded ?',
        'a refunded full capture was never captured': 'return isRefunded ?',
        'a partial capture was never captured': 'return isPart ?',
      },
      "if (payment.metadata.isVoid) return { kind: 'void' };": {
        'a payment that only uses up a key is not void': '',
      },
      "if (payment.status === 'paid') return": {
        'money on a payment that only uses up a key is ignored':
          "if (payment.status === 'paid' && !payment.metadata.isVoid) return",
      },
      "? { kind: 'processing', reference }\n        : { kind: 'requires_action'": {
        'an open payment without a page has failed':
          "? { kind: 'void' }\n        : { kind: 'requires_action'",
      },
      "    case 'pending':\n": {
        'a pending payment is void':
          "    case 'pending':\n      if (payment.status === 'pending') return { kind: 'void' };\n",
      },
      "return { kind: 'approved', reference };": {
        'an authorized payment is processing': "return { kind: 'processing', reference };",
      },
      "    case 'failed':\n": {
        'a failed payment is void':
          "    case 'failed':\n      if (payment.status === 'failed') return { kind: 'void' };\n",
      },
      "    case 'expired':\n": {
        'an expired payment is processing':
          "    case 'expired':\n      if (payment.status === 'expired') return { kind: 'processing', reference };\n",
      },
      "    case 'canceled':\n": {
        'a canceled payment is processing':
          "    case 'canceled':\n      if (payment.status === 'canceled') return { kind: 'processing', reference };\n",
      },
    },
    'src/processors/mollie/parse.ts': {
      'const captured = hasCaptures ? readMoved(fields.amountCaptured) : amount;': {
        'the requested amount counts as captured': 'const captured = amount;',
      },
      'refunded.amountMinor >= captured.amountMinor': {
        'a partial refund counts as a full refund': 'refunded.amountMinor > 0',
        'a full refund does not count as one': 'refunded.amountMinor > captured.amountMinor',
      },
      ' ?? textOf(fieldsOf(fields.statusReason).code)': {
        'the decline reason of a bank payment is not read': '',
      },
    },
  },
);

const paypalConnection = newConnection({ clientId: 'AW', clientSecret: 'EJ', webhookId: '1FAKE' });
const paypalRequest = requestOf(paypalConnection, 'ORDER1');

guarantee<typeof import('../../src/processors/paypal/paypal.ts')>(
  'a PayPal order without captures means what is documented, in every status',
  'src/processors/paypal/paypal.ts',
  async ({ createPaypal }) => {
    const processor = createPaypal({ apiUrl: api.url, clock }).connect(paypalConnection);
    const { attemptId, companyId } = paypalRequest;
    const custom_id = `${attemptId}/${paypalConnection.connectionId}/${companyId}`;
    const link = { rel: 'payer-action', href: `${api.url}/checkoutnow?token=ORDER1` };
    const statuses = [
      'CREATED',
      'SAVED',
      'APPROVED',
      'VOIDED',
      'COMPLETED',
      'PAYER_ACTION_REQUIRED',
      'ALMOST',
    ];
    for (const status of statuses)
      for (const intent of ['CAPTURE', 'AUTHORIZE', undefined])
        for (const links of [[], [link]]) {
          const means: Record<string, string> = {
            ...{ VOIDED: 'void', APPROVED: 'approved' },
            ...(links.length > 0
              ? { CREATED: 'requires_action', PAYER_ACTION_REQUIRED: 'requires_action' }
              : {}),
          };
          const unit = { custom_id, amount: { currency_code: 'EUR', value: '19.99' } };
          const order = { id: 'ORDER1', status, intent, purchase_units: [unit], links };
          const expected = intent === 'AUTHORIZE' ? 'void' : (means[status] ?? 'throws');
          assert.equal(await judge(processor, paypalRequest, order), expected, JSON.stringify(order));
        }
  },
  {
    'src/processors/paypal/order.ts': {
      " || order.intent === 'AUTHORIZE'": { 'an order with a changed intent can still be paid': '' },
      "status === 'VOIDED' || ": { 'a voided order is unknown': '' },
      "order.intent === 'AUTHORIZE'": { 'an order without an intent is void': "order.intent !== 'CAPTURE'" },
      "if (status === 'APPROVED') return { kind: 'approved', reference };": {
        'an approved order is unknown': '',
      },
      "if (status === 'APPROVED')": {
        'a completed order without a capture is approved':
          "if (status === 'APPROVED' || status === 'COMPLETED')",
      },
      "(status === 'CREATED' || status === 'PAYER_ACTION_REQUIRED')": {
        'an order that was created says nothing': "(status === 'PAYER_ACTION_REQUIRED')",
        'an order that waits for the customer says nothing': "(status === 'CREATED')",
      },
      "(status === 'CREATED' || status === 'PAYER_ACTION_REQUIRED') && payerUrl": {
        'a state that nobody documented waits for the customer': 'payerUrl',
      },
    },
  },
);
