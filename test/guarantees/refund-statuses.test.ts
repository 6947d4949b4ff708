// Every status of a refund at each live processor means what its documentation says, wherever it is read: in the response
// to the request, in an existing refund, in the list, and in a dashboard refund.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '../../src/base/clock.ts';
import { newId } from '../../src/base/ids.ts';
import { toDecimalText } from '../../src/base/money.ts';
import type {
  BalanceTransaction,
  Processor,
  ProcessorConnection,
  ProcessorRefundRequest,
} from '../../src/processors/processor.ts';
import { newConnection, newRequest } from '../processors/kit/rig.ts';
import { type ApiStub, openApiStub, type StubRequest, type StubResponse } from './api-stub.ts';
import { type Faults, guarantee } from './plant.ts';

type Meaning = 'succeeded' | 'failed' | 'processing';
/** A refund at a processor, created by Paylink or in its dashboard. */
type Shown = { request: ProcessorRefundRequest; status: string; isOurs: boolean };

/** A processor, and the responses of its API. */
type ProcessorCase = {
  name: string;
  modulePath: string;
  open(module: never, url: string): Processor;
  connection: ProcessorConnection;
  /** The refunded payment. */
  reference: string;
  /** From the processor's documentation. */
  statuses: Readonly<Record<string, Meaning>>;
  /** The kind in the list by status. A missing status has moved no money. */
  listed: Readonly<Record<string, BalanceTransaction['kind']>>;
  /** Responds with an existing refund, or with none before one is requested. */
  answer(shown: Shown, exists: boolean): (asked: StubRequest) => StubResponse | null;
  faults: Faults;
};

let api: ApiStub;
before(async () => {
  api = await openApiStub();
});
after(async () => await api.close());

const at = new Date('2026-03-01T12:00:00Z');
const clock = { now: () => at };
const signal = () => AbortSignal.timeout(20_000);

function requestOf({ connection, reference }: ProcessorCase, amountMinor: number): ProcessorRefundRequest {
  const { attemptId, companyId } = newRequest({ now: systemClock.now, cardFor: () => null }, connection);
  const refundId = newId('ref', at);
  return { companyId, refundId, attemptId, processorReference: reference, amountMinor, currency: 'EUR' };
}

const stripeConnection = newConnection({ secretKey: 'sk_test_1', webhookSecret: 'whsec_1' });
const stripeList = (data: unknown[]) => ({ status: 200, body: { object: 'list', data, has_more: false } });

const stripe: ProcessorCase = {
  name: 'Stripe',
  modulePath: 'src/processors/stripe/stripe.ts',
  open: ({ createStripe }: typeof import('../../src/processors/stripe/stripe.ts'), apiUrl) =>
    createStripe({ apiUrl, clock }).connect(stripeConnection),
  connection: stripeConnection,
  reference: 'pi_1',
  // docs.stripe.com/api/refunds/object: "pending, requires_action, succeeded, failed, or canceled".
  statuses: {
    pending: 'processing',
    requires_action: 'processing',
    succeeded: 'succeeded',
    failed: 'failed',
    canceled: 'failed',
  },
  listed: { succeeded: 'refund', failed: 'failed_refund' },
  answer: ({ request, status, isOurs }, exists) => {
    const { companyId, attemptId, refundId, amountMinor } = request;
    const notes = {
      ...{ paylink_company: companyId, paylink_connection: stripeConnection.connectionId },
      paylink_attempt: attemptId,
    };
    const refund = {
      ...{
        id: 're_1',
        object: 'refund',
        status,
        amount: amountMinor,
        currency: 'eur',
        payment_intent: 'pi_1',
      },
      metadata: isOurs ? { ...notes, paylink_refund: refundId } : {},
      charge: { id: 'ch_1', object: 'charge', metadata: notes },
    };
    return ({ method, path }) => {
      if (path === '/v1/charges') return stripeList([]);
      if (path !== '/v1/refunds') return null;
      return method === 'POST' ? { status: 200, body: refund } : stripeList(exists ? [refund] : []);
    };
  },
  faults: {
    'src/processors/stripe/refunds.ts': {
      ...Object.fromEntries(
        ['requires_action', 'pending'].map((status) => {
          const to = (result: string) =>
            `    case '${status}':\n      if (status === '${status}') return ${result};\n`;
          return [
            `    case '${status}':\n`,
            {
              [`a refund that is ${status} counts as succeeded`]: to(
                "{ kind: 'succeeded', reference, ...readAmount(refund) }",
              ),
              [`a refund that is ${status} counts as failed`]: to(
                "{ kind: 'failed', reference, code: status }",
              ),
            },
          ];
        }),
      ),
      "    case 'requires_action':\n      return": {
        'a canceled refund is processing': "    case 'requires_action':\n    case 'canceled':\n      return",
      },
      "throw new Error('stripe: the refund has an unknown status')": {
        'an undocumented status is processing': "return { kind: 'processing', reference }",
      },
    },
    'src/processors/stripe/external-refunds.ts': {
      "if (status === 'succeeded') return 'outside_refund';": {
        'a pending dashboard refund counts as made':
          "if (status !== 'failed' && status !== 'canceled') return 'outside_refund';",
      },
      "status === 'failed' || status === 'canceled'": {
        'a canceled dashboard refund does not count as failed': "status === 'failed'",
      },
    },
    'src/processors/stripe/balance-transactions.ts': {
      "status === 'failed') return 'failed_refund'": {
        'the list contains a failed refund as a successful one': "status === 'failed') return 'refund'",
      },
      "return status === 'succeeded' ? transactionKind : null": {
        'the list contains a pending refund': 'return transactionKind',
      },
    },
  },
};

const mollieConnection = newConnection({ apiKey: `test_${'x'.repeat(30)}` });
const mollieList = (kind: string, things: unknown[]) => ({
  status: 200,
  body: { _embedded: { [kind]: things }, _links: { next: null } },
});

const mollie: ProcessorCase = {
  name: 'Mollie',
  modulePath: 'src/processors/mollie/mollie.ts',
  open: ({ createMollie }: typeof import('../../src/processors/mollie/mollie.ts'), apiUrl) =>
    createMollie({ apiUrl, clock, baseUrl: apiUrl, proveAddress: () => '' }).connect(mollieConnection),
  connection: mollieConnection,
  reference: 'tr_12345678',
  // docs.mollie.com/reference/get-refund: `status`.
  statuses: {
    queued: 'processing',
    pending: 'processing',
    processing: 'processing',
    refunded: 'succeeded',
    failed: 'failed',
    canceled: 'failed',
  },
  listed: { refunded: 'refund', failed: 'failed_refund' },
  answer: ({ request, status, isOurs }, exists) => {
    const { companyId: company, attemptId: attempt, refundId, amountMinor } = request;
    const marks = { company, connection: mollieConnection.connectionId, attempt };
    const refund = {
      ...{ resource: 'refund', id: 're_12345678', mode: 'test', paymentId: 'tr_12345678', status },
      amount: { currency: 'EUR', value: toDecimalText(amountMinor, 'EUR') },
      metadata: isOurs ? { ...marks, refund: refundId } : null,
      createdAt: at.toISOString(),
      _embedded: { payment: { metadata: marks } },
    };
    return ({ method, path }) => {
      if (path === '/v2/payments') return mollieList('payments', []);
      if (!path.endsWith('/refunds')) return null;
      if (method === 'POST') return { status: 201, body: refund };
      return mollieList('refunds', exists ? [refund] : []);
    };
  },
  faults: {
    'src/processors/mollie/refunds.ts': {
      "    case 'refunded':\n": Object.fromEntries(
        ['queued', 'pending', 'processing'].map((status) => [
          `a refund that is ${status} counts as succeeded`,
          `    case 'refunded':\n    case '${status}':\n`,
        ]),
      ),
      ...Object.fromEntries(
        ['failed', 'canceled'].map((status) => [
          `    case '${status}':\n`,
          {
            [`a refund that is ${status} is processing`]: `    case '${status}':\n      if (refund.status === '${status}') return { kind: 'processing', reference };\n`,
          },
        ]),
      ),
    },
    'src/processors/mollie/parse.ts': {
      "const isFailed = status === 'failed' || status === 'canceled';": {
        'a canceled dashboard refund counts as none':
          "const isFailed = status === 'failed';\n  if (status === 'canceled') return [];",
      },
      "if (status !== 'refunded' && !isFailed) return [];": {
        'a pending dashboard refund counts as made': '',
      },
    },
    'src/processors/mollie/balance-transactions.ts': {
      "if (status !== 'refunded' && status !== 'failed') return [];": {
        'the list contains a pending refund': '',
      },
      "status === 'failed' ? 'failed_refund' : 'refund'": {
        'the list contains a failed refund as a successful one': "'refund'",
      },
    },
  },
};

const paypalConnection = newConnection({ clientId: 'AW', clientSecret: 'EJ', webhookId: '1FAKE' });
const money = (amountMinor: number) => ({
  currency_code: 'EUR',
  value: toDecimalText(amountMinor, 'EUR'),
});

const paypal: ProcessorCase = {
  name: 'PayPal',
  modulePath: 'src/processors/paypal/paypal.ts',
  open: ({ createPaypal }: typeof import('../../src/processors/paypal/paypal.ts'), apiUrl) =>
    createPaypal({ apiUrl, clock }).connect(paypalConnection),
  connection: paypalConnection,
  reference: 'ORDER1',
  // developer.paypal.com, Payments v2, "refund status": CANCELLED, FAILED, PENDING, COMPLETED.
  statuses: { PENDING: 'processing', COMPLETED: 'succeeded', FAILED: 'failed', CANCELLED: 'failed' },
  // PayPal lists transactions, which have other statuses.
  listed: {},
  answer: ({ request, status, isOurs }, exists) => {
    const { companyId, attemptId, refundId, amountMinor } = request;
    const custom_id = `${attemptId}/${paypalConnection.connectionId}/${companyId}`;
    const refund = {
      ...{ id: 'REFUND1', status, amount: money(amountMinor) },
      ...(isOurs ? { invoice_id: refundId } : { custom_id }),
    };
    const captures = [{ id: 'CAPTURE1', status: 'COMPLETED', amount: money(amountMinor), custom_id }];
    const order = {
      ...{ id: 'ORDER1', status: 'COMPLETED', intent: 'CAPTURE', links: [] },
      purchase_units: [{ custom_id, payments: { captures, refunds: exists ? [refund] : [] } }],
    };
    return ({ method, path }) => {
      if (path === '/v1/oauth2/token')
        return { status: 200, body: { access_token: 'A', token_type: 'Bearer', expires_in: 32_400 } };
      if (method === 'POST') return { status: 201, body: refund };
      if (path === '/v2/checkout/orders/ORDER1') return { status: 200, body: order };
      return { status: 200, body: { transaction_details: [], total_pages: 0 } };
    };
  },
  faults: {
    'src/processors/paypal/refunds.ts': {
      "if (status === 'PENDING') return {": Object.fromEntries(
        ['FAILED', 'CANCELLED'].map((status) => [
          `a refund that is ${status} is processing`,
          `if (status === 'PENDING' || status === '${status}') return {`,
        ]),
      ),
      "if (status === 'COMPLETED') return { kind: 'succeeded'": {
        'a pending refund counts as completed':
          "if (status === 'COMPLETED' || status === 'PENDING') return { kind: 'succeeded'",
      },
      "if (status === 'PENDING') return { kind: 'processing', reference };": {
        'a pending refund counts as failed':
          "if (status === 'PENDING') return { kind: 'failed', reference, code: 'pending' };",
      },
      "if (status === 'COMPLETED') return 'outside_refund';": Object.fromEntries(
        ['PENDING', 'FAILED', 'CANCELLED'].map((status) => [
          `a dashboard refund that is ${status} counts as made`,
          `if (status === 'COMPLETED' || status === '${status}') return 'outside_refund';`,
        ]),
      ),
    },
  },
};

const outsideKinds = { succeeded: 'outside_refund', failed: 'failed_outside_refund', processing: null };

async function listAll(processor: Processor, companyId: string): Promise<BalanceTransaction[]> {
  const found: BalanceTransaction[] = [];
  let cursor: string | null = null;
  const from = new Date(at.getTime() - 3_600_000);
  const until = new Date(at.getTime() + 3_600_000);
  do {
    const page = await processor.list({ companyId, from, until, cursor }, signal());
    found.push(...page.movements);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

/** Asserts the meaning of one status, for an API refund and a dashboard refund. */
async function assertMeans(one: ProcessorCase, processor: Processor, status: string, meaning: Meaning) {
  for (const amountMinor of [1, 700, 123_456_789]) {
    const request = requestOf(one, amountMinor);
    const money = { amountMinor, currency: 'EUR' };
    for (const exists of [true, false]) {
      api.answer(one.answer({ request, status, isOurs: true }, exists));
      const { reference, ...said } = await processor.refund(request, signal());
      assert.match(reference, /^(re_|REFUND)/);
      assert.equal(said.kind, meaning, `${status}, ${exists ? 'existing' : 'new'}`);
      if (meaning === 'succeeded') assert.deepEqual(said, { kind: meaning, ...money });
    }
    const { attemptId, companyId } = request;
    api.answer(one.answer({ request, status, isOurs: true }, true));
    const { listed } = one;
    if (Object.keys(listed).length > 0)
      assert.deepEqual(
        (await listAll(processor, companyId)).map(({ reference: _, ...moved }) => moved),
        listed[status] ? [{ kind: listed[status], key: request.refundId, ...money }] : [],
        `listed as ${status}`,
      );

    const asked = newRequest({ now: systemClock.now, cardFor: () => null }, one.connection, {
      ...{ attemptId, processorReference: one.reference, amountMinor },
    });
    assert.deepEqual(
      await processor.listOutsideRefunds?.(asked, signal()),
      [],
      'an API refund is no dashboard refund',
    );
    api.answer(one.answer({ request, status, isOurs: false }, true));
    const outside = await processor.listOutsideRefunds?.(asked, signal());
    const kind = outsideKinds[meaning];
    assert.deepEqual(
      outside?.map(({ reference: _, ...one }) => one),
      kind ? [{ kind, key: attemptId, ...money }] : [],
      `dashboard refund, ${status}`,
    );
  }
}

for (const one of [stripe, mollie, paypal])
  guarantee<never>(
    `every status of a refund at ${one.name} means what is documented, and any other status throws`,
    one.modulePath,
    async (module) => {
      const processor = one.open(module, api.url);
      for (const [status, meaning] of Object.entries(one.statuses))
        await assertMeans(one, processor, status, meaning);
      const cases = Object.keys(one.statuses).map((one) =>
        one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase(),
      );
      const unknownStatus = fc.oneof(
        fc.constantFrom(...cases, '', 'constructor'),
        fc.string().filter((text) => !Object.hasOwn(one.statuses, text)),
      );
      const proof = fc.asyncProperty(unknownStatus, fc.boolean(), async (status, exists) => {
        const request = requestOf(one, 700);
        api.answer(one.answer({ request, status, isOurs: true }, exists));
        await assert.rejects(processor.refund(request, signal()), `a refund that is "${status}"`);
      });
      await fc.assert(proof, { numRuns: 25 });
    },
    one.faults,
  );
