// Every state of a payment at each live processor, alone and in every combination that its answers can have, means what
// its documentation says. What no combination explains throws, and is never taken for an end.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { systemClock as clock } from '../../src/base/clock.ts';
import type { AttemptRequest, Processor, ProcessorConnection } from '../../src/processors/processor.ts';
import { newConnection, newRequest } from '../processors/kit/rig.ts';
import { openApiStub } from './api-stub.ts';
import { type Fault, guarantee } from './plant.ts';

// Open before any test is registered: the pages of PayPal have its address.
const door = await openApiStub();
after(async () => await door.close());

const signal = () => AbortSignal.timeout(20_000);
const requestOf = (connection: ProcessorConnection, processorReference: string): AttemptRequest =>
  newRequest({ now: clock.now, cardFor: () => null }, connection, { processorReference });
const faultsOf = (file: string, rows: readonly (readonly [string, string, string])[]): Fault[] =>
  rows.map(([fault, from, to]) => ({ fault, file, from, to }));

/** What is said of an attempt that is shown so: the kind, and the code of a decline; `throws` when nobody knows. */
async function judge(processor: Processor, request: AttemptRequest, thing: object): Promise<string> {
  door.answer(({ path }) =>
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
  'a session of Stripe and its payment intent mean together what is documented, in all their states',
  'src/processors/stripe/stripe.ts',
  async ({ createStripe }) => {
    const processor = createStripe({ apiUrl: door.url, clock }).connect(stripeConnection);
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
  faultsOf('src/processors/stripe/session-outcome.ts', [
    [
      'an intent that is canceled is taken for paid',
      "if (intent?.status === 'succeeded')",
      "if (intent?.status === 'succeeded' || intent?.status === 'canceled')",
    ],
    [
      'a paid intent counts only where the session is complete',
      "if (intent?.status === 'succeeded')",
      "if (intent?.status === 'succeeded' && status === 'complete')",
    ],
    [
      'what was asked for counts as received',
      "receivedMinor: readMinor(fields, 'amount_received')",
      "receivedMinor: readMinor(fields, 'amount')",
    ],
    [
      'an open session without a page sends the customer nowhere',
      "status === 'open' && url !== null",
      "status === 'open'",
    ],
    [
      'an open session whose card is decided has no page',
      "if (status === 'open' && url !== null)",
      "if (status === 'open' && url !== null && !isUnderWay)",
    ],
    [
      'an open session without a page is under way',
      "if (status === 'open' && isUnderWay)",
      "if (status === 'open')",
    ],
    [
      'a complete session with an open challenge says nothing',
      "isUnderWay || intent?.status === 'requires_action'))",
      'isUnderWay))',
    ],
    ['an expired session is under way', "if (status === 'complete' && (isUnderWay", 'if ((isUnderWay'],
    [
      'a complete session without money is paid for by nobody',
      "if (status === 'complete' && intent && isOver) return endedOutcome(session);",
      '',
    ],
    [
      'a complete session without an intent ended',
      "if (status === 'complete' && intent && isOver)",
      "if (status === 'complete' && isOver)",
    ],
    ['an intent that waits for a method is not over', "intent.status === 'requires_payment_method' || ", ''],
    ['an intent that was canceled is not over', " || intent.status === 'canceled'", ''],
    [
      'an expired session with an open challenge says nothing',
      "(isOver || intent?.status === 'requires_action')",
      '(isOver)',
    ],
    [
      'an expired session ended, whatever its intent does',
      "if (status === 'expired' && (isOver || intent?.status === 'requires_action'))",
      "if (status === 'expired')",
    ],
    ['a decline at the end is void', 'if (!intent?.lastError) return', 'if (intent) return'],
  ]),
);

const mollieConnection = newConnection({ apiKey: `test_${'x'.repeat(30)}` });
const mollieRequest = requestOf(mollieConnection, 'tr_12345678');
const euros = (value: string) => ({ currency: 'EUR', value });

guarantee<typeof import('../../src/processors/mollie/mollie.ts')>(
  'a payment of Mollie means what is documented, in all its states',
  'src/processors/mollie/mollie.ts',
  async ({ createMollie }) => {
    const kind = createMollie({ apiUrl: door.url, clock, baseUrl: door.url, proveAddress: () => '' });
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
    const tombstone = { metadata: { ...metadata, void: true } };
    // docs.mollie.com/docs/status-change; without a page, some methods leave only waiting.
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
      // One that only used a key up stands for nothing, unless somebody paid it.
      await check(status, tombstone, status === 'paid' || status === 'almost' ? means : 'void');
      // What is captured or given back says nothing before a payment is paid.
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
  [
    ...faultsOf('src/processors/mollie/payments.ts', [
      ['a part that went back was taken', 'return isPart && isRefunded ?', 'return !isPart && !isRefunded ?'],
      ['a whole that went back was never taken', 'return isPart && isRefunded ?', 'return isRefunded ?'],
      ['a part was never taken', 'return isPart && isRefunded ?', 'return isPart ?'],
      [
        'a payment that only used a key up stands for an attempt',
        "if (payment.metadata.isVoid) return { kind: 'void' };",
        '',
      ],
      [
        'money on a payment that only used a key up is lost',
        "if (payment.status === 'paid') return",
        "if (payment.status === 'paid' && !payment.metadata.isVoid) return",
      ],
      [
        'an open payment without a page has failed',
        "? { kind: 'processing', reference }\n        : { kind: 'requires_action'",
        "? { kind: 'void' }\n        : { kind: 'requires_action'",
      ],
      [
        'a pending payment is void',
        "    case 'pending':\n",
        "    case 'pending':\n      if (payment.status === 'pending') return { kind: 'void' };\n",
      ],
      [
        'money that is held is on its way',
        "return { kind: 'approved', reference };",
        "return { kind: 'processing', reference };",
      ],
      [
        'a failed payment is void',
        "    case 'failed':\n",
        "    case 'failed':\n      if (payment.status === 'failed') return { kind: 'void' };\n",
      ],
      [
        'an expired payment is on its way',
        "    case 'expired':\n",
        "    case 'expired':\n      if (payment.status === 'expired') return { kind: 'processing', reference };\n",
      ],
      [
        'a canceled payment is on its way',
        "    case 'canceled':\n",
        "    case 'canceled':\n      if (payment.status === 'canceled') return { kind: 'processing', reference };\n",
      ],
    ]),
    ...faultsOf('src/processors/mollie/parse.ts', [
      [
        'what was asked for counts as captured',
        'const captured = hasCaptures ? readMoved(fields.amountCaptured) : amount;',
        'const captured = amount;',
      ],
      [
        'less than all counts as given back',
        'refunded.amountMinor >= captured.amountMinor',
        'refunded.amountMinor > 0',
      ],
      [
        'all is not enough to be given back',
        'refunded.amountMinor >= captured.amountMinor',
        'refunded.amountMinor > captured.amountMinor',
      ],
      ['the reason of a payment by bank is not read', ' ?? textOf(fieldsOf(fields.statusReason).code)', ''],
    ]),
  ],
);

const paypalConnection = newConnection({ clientId: 'AW', clientSecret: 'EJ', webhookId: '1FAKE' });
const paypalRequest = requestOf(paypalConnection, 'ORDER1');

guarantee<typeof import('../../src/processors/paypal/paypal.ts')>(
  'an order of PayPal without captures means what is documented, in all its states',
  'src/processors/paypal/paypal.ts',
  async ({ createPaypal }) => {
    const processor = createPaypal({ apiUrl: door.url, clock }).connect(paypalConnection);
    const { attemptId, companyId } = paypalRequest;
    const custom_id = `${attemptId}/${paypalConnection.connectionId}/${companyId}`;
    const link = { rel: 'payer-action', href: `${door.url}/checkoutnow?token=ORDER1` };
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
  faultsOf('src/processors/paypal/order.ts', [
    ['an order whose intent was changed can still be paid', " || order.intent === 'AUTHORIZE'", ''],
    ['an order that was voided says nothing', "status === 'VOIDED' || ", ''],
    ['an order without an intent is void', "order.intent === 'AUTHORIZE'", "order.intent !== 'CAPTURE'"],
    [
      'an approved order is taken for one that waits',
      "if (status === 'APPROVED') return { kind: 'approved', reference };",
      '',
    ],
    [
      'a completed order without a capture is approved',
      "if (status === 'APPROVED')",
      "if (status === 'APPROVED' || status === 'COMPLETED')",
    ],
    [
      'an order that was created says nothing',
      "(status === 'CREATED' || status === 'PAYER_ACTION_REQUIRED')",
      "(status === 'PAYER_ACTION_REQUIRED')",
    ],
    [
      'an order that waits for the customer says nothing',
      "(status === 'CREATED' || status === 'PAYER_ACTION_REQUIRED')",
      "(status === 'CREATED')",
    ],
    [
      'a state that nobody documented waits for the customer',
      "(status === 'CREATED' || status === 'PAYER_ACTION_REQUIRED') && payerUrl",
      'payerUrl',
    ],
  ]),
);
