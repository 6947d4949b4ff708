// Every status of a refund at each live processor means what its documentation says, wherever it is read: in the answer
// to the request, in the refund that stood there before, in the list, and of a refund of the dashboard.

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
import { type Fault, guarantee } from './plant.ts';

type Meaning = 'succeeded' | 'failed' | 'processing';
/** A refund of ours at a processor, or one of its dashboard. */
type Shown = { request: ProcessorRefundRequest; status: string; isOurs: boolean };

/** How a processor's refund is put before its adapter. */
type Bureau = {
  name: string;
  modulePath: string;
  open(module: never, url: string): Processor;
  connection: ProcessorConnection;
  /** The payment whose money goes back. */
  reference: string;
  /** By the processor's documentation. */
  statuses: Readonly<Record<string, Meaning>>;
  /** The kinds under which the list has a status; what it leaves out has moved no money yet. */
  listed: Readonly<Record<string, BalanceTransaction['kind']>>;
  /** Answers with the refund standing there, or with none until it is asked for one. */
  answer(shown: Shown, isPresent: boolean): (asked: StubRequest) => StubResponse | null;
  faults: readonly Fault[];
};

let door: ApiStub;
before(async () => {
  door = await openApiStub();
});
after(async () => await door.close());

const at = new Date('2026-03-01T12:00:00Z');
const clock = { now: () => at };
const signal = () => AbortSignal.timeout(20_000);

function requestOf({ connection, reference }: Bureau, amountMinor: number): ProcessorRefundRequest {
  const { attemptId, companyId } = newRequest({ now: systemClock.now, cardFor: () => null }, connection);
  const refundId = newId('ref', at);
  return { companyId, refundId, attemptId, processorReference: reference, amountMinor, currency: 'EUR' };
}

const stripeConnection = newConnection({ secretKey: 'sk_test_1', webhookSecret: 'whsec_1' });
const stripeList = (data: unknown[]) => ({ status: 200, body: { object: 'list', data, has_more: false } });

const stripe: Bureau = {
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
  answer: ({ request, status, isOurs }, isPresent) => {
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
      return method === 'POST' ? { status: 200, body: refund } : stripeList(isPresent ? [refund] : []);
    };
  },
  faults: [
    ...['requires_action', 'pending'].flatMap((status) =>
      ['succeeded', 'failed'].map((end) => ({
        fault: `a refund that is ${status} has ${end}`,
        file: 'src/processors/stripe/refunds.ts',
        from: `    case '${status}':\n`,
        to: `    case '${status}':\n      if (status === '${status}') return ${
          end === 'failed'
            ? "{ kind: 'failed', reference, code: status }"
            : "{ kind: 'succeeded', reference, amountMinor: readMinor(refund, 'amount'), currency: readCurrency(refund) }"
        };\n`,
      })),
    ),
    {
      fault: 'a refund that was canceled is under way',
      file: 'src/processors/stripe/refunds.ts',
      from: "    case 'requires_action':\n      return",
      to: "    case 'requires_action':\n    case 'canceled':\n      return",
    },
    {
      fault: 'a status that nobody documented is under way',
      file: 'src/processors/stripe/refunds.ts',
      from: "throw new Error('stripe: the refund has an unknown status')",
      to: "return { kind: 'processing', reference }",
    },
    {
      fault: 'a refund of the dashboard that waits has gone',
      file: 'src/processors/stripe/external-refunds.ts',
      from: "if (status === 'succeeded') return 'outside_refund';",
      to: "if (status !== 'failed' && status !== 'canceled') return 'outside_refund';",
    },
    {
      fault: 'a refund of the dashboard that was canceled is not known to have failed',
      file: 'src/processors/stripe/external-refunds.ts',
      from: "status === 'failed' || status === 'canceled'",
      to: "status === 'failed'",
    },
    {
      fault: 'the list has a refund that failed as one that was made',
      file: 'src/processors/stripe/balance-transactions.ts',
      from: "status === 'failed') return 'failed_refund'",
      to: "status === 'failed') return 'refund'",
    },
    {
      fault: 'the list has a refund before its money went',
      file: 'src/processors/stripe/balance-transactions.ts',
      from: "return status === 'succeeded' ? transactionKind : null",
      to: 'return transactionKind',
    },
  ],
};

const mollieConnection = newConnection({ apiKey: `test_${'x'.repeat(30)}` });
const mollieList = (kind: string, things: unknown[]) => ({
  status: 200,
  body: { _embedded: { [kind]: things }, _links: { next: null } },
});

const mollie: Bureau = {
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
  answer: ({ request, status, isOurs }, isPresent) => {
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
      return mollieList('refunds', isPresent ? [refund] : []);
    };
  },
  faults: [
    ...['queued', 'pending', 'processing'].map((status) => ({
      fault: `a refund that is ${status} has been refunded`,
      file: 'src/processors/mollie/refunds.ts',
      from: "    case 'refunded':\n",
      to: `    case 'refunded':\n    case '${status}':\n`,
    })),
    ...['failed', 'canceled'].map((status) => ({
      fault: `a refund that is ${status} is under way`,
      file: 'src/processors/mollie/refunds.ts',
      from: `    case '${status}':\n`,
      to: `    case '${status}':\n      if (refund.status === '${status}') return { kind: 'processing', reference };\n`,
    })),
    {
      fault: 'a refund of the dashboard that was canceled has gone',
      file: 'src/processors/mollie/parse.ts',
      from: "const isFailed = status === 'failed' || status === 'canceled';",
      to: "const isFailed = status === 'failed';\n  if (status === 'canceled') return [];",
    },
    {
      fault: 'a refund of the dashboard that waits has gone',
      file: 'src/processors/mollie/parse.ts',
      from: "if (status !== 'refunded' && !isFailed) return [];",
      to: '',
    },
    {
      fault: 'the list has a refund before its money went',
      file: 'src/processors/mollie/balance-transactions.ts',
      from: "if (status !== 'refunded' && status !== 'failed') return [];",
      to: '',
    },
    {
      fault: 'the list has a refund that failed as one that was made',
      file: 'src/processors/mollie/balance-transactions.ts',
      from: "status === 'failed' ? 'failed_refund' : 'refund'",
      to: "'refund'",
    },
  ],
};

const paypalConnection = newConnection({ clientId: 'AW', clientSecret: 'EJ', webhookId: '1FAKE' });
const money = (amountMinor: number) => ({
  currency_code: 'EUR',
  value: toDecimalText(amountMinor, 'EUR'),
});

const paypal: Bureau = {
  name: 'PayPal',
  modulePath: 'src/processors/paypal/paypal.ts',
  open: ({ createPaypal }: typeof import('../../src/processors/paypal/paypal.ts'), apiUrl) =>
    createPaypal({ apiUrl, clock }).connect(paypalConnection),
  connection: paypalConnection,
  reference: 'ORDER1',
  // developer.paypal.com, Payments v2, "refund status": CANCELLED, FAILED, PENDING, COMPLETED.
  statuses: { PENDING: 'processing', COMPLETED: 'succeeded', FAILED: 'failed', CANCELLED: 'failed' },
  // PayPal's list is of transactions, which have other statuses.
  listed: {},
  answer: ({ request, status, isOurs }, isPresent) => {
    const { companyId, attemptId, refundId, amountMinor } = request;
    const custom_id = `${attemptId}/${paypalConnection.connectionId}/${companyId}`;
    const refund = {
      ...{ id: 'REFUND1', status, amount: money(amountMinor) },
      ...(isOurs ? { invoice_id: refundId } : { custom_id }),
    };
    const captures = [{ id: 'CAPTURE1', status: 'COMPLETED', amount: money(amountMinor), custom_id }];
    const order = {
      ...{ id: 'ORDER1', status: 'COMPLETED', intent: 'CAPTURE', links: [] },
      purchase_units: [{ custom_id, payments: { captures, refunds: isPresent ? [refund] : [] } }],
    };
    return ({ method, path }) => {
      if (path === '/v1/oauth2/token')
        return { status: 200, body: { access_token: 'A', token_type: 'Bearer', expires_in: 32_400 } };
      if (method === 'POST') return { status: 201, body: refund };
      if (path === '/v2/checkout/orders/ORDER1') return { status: 200, body: order };
      return { status: 200, body: { transaction_details: [], total_pages: 0 } };
    };
  },
  faults: [
    {
      fault: 'a refund that is pending is completed',
      file: 'src/processors/paypal/refunds.ts',
      from: "if (status === 'COMPLETED') return { kind: 'succeeded'",
      to: "if (status === 'COMPLETED' || status === 'PENDING') return { kind: 'succeeded'",
    },
    {
      fault: 'a refund that is pending has failed',
      file: 'src/processors/paypal/refunds.ts',
      from: "if (status === 'PENDING') return { kind: 'processing', reference };",
      to: "if (status === 'PENDING') return { kind: 'failed', reference, code: 'pending' };",
    },
    ...['FAILED', 'CANCELLED'].flatMap((status) => [
      {
        fault: `a refund that is ${status} is under way`,
        file: 'src/processors/paypal/refunds.ts',
        from: "if (status === 'PENDING') return",
        to: `if (status === 'PENDING' || status === '${status}') return`,
      },
      {
        fault: `a refund of PayPal's own pages that is ${status} has gone`,
        file: 'src/processors/paypal/refunds.ts',
        from: "if (status === 'COMPLETED') return 'outside_refund';",
        to: `if (status === 'COMPLETED' || status === '${status}') return 'outside_refund';`,
      },
    ]),
    {
      fault: "a refund of PayPal's own pages that waits has gone",
      file: 'src/processors/paypal/refunds.ts',
      from: "if (status === 'COMPLETED') return 'outside_refund';",
      to: "if (status === 'COMPLETED' || status === 'PENDING') return 'outside_refund';",
    },
  ],
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

/** What is said of a refund of ours, and of one of the dashboard, in one status. */
async function assertMeans(bureau: Bureau, processor: Processor, status: string, meaning: Meaning) {
  for (const amountMinor of [1, 700, 123_456_789]) {
    const request = requestOf(bureau, amountMinor);
    const reported = { amountMinor, currency: 'EUR' };
    for (const isPresent of [true, false]) {
      door.answer(bureau.answer({ request, status, isOurs: true }, isPresent));
      const { reference, ...said } = await processor.refund(request, signal());
      assert.match(reference, /^(re_|REFUND)/);
      assert.equal(said.kind, meaning, `${status}, ${isPresent ? 'existing' : 'new'}`);
      if (meaning === 'succeeded') assert.deepEqual(said, { kind: meaning, ...reported });
    }
    const { attemptId, companyId } = request;
    door.answer(bureau.answer({ request, status, isOurs: true }, true));
    const { listed } = bureau;
    if (Object.keys(listed).length > 0)
      assert.deepEqual(
        (await listAll(processor, companyId)).map(({ reference: _, ...moved }) => moved),
        listed[status] ? [{ kind: listed[status], key: request.refundId, ...reported }] : [],
        `listed as ${status}`,
      );

    const asked = newRequest({ now: systemClock.now, cardFor: () => null }, bureau.connection, {
      ...{ attemptId, processorReference: bureau.reference, amountMinor },
    });
    assert.deepEqual(
      await processor.listOutsideRefunds?.(asked, signal()),
      [],
      'ours is none of the dashboard',
    );
    door.answer(bureau.answer({ request, status, isOurs: false }, true));
    const outside = await processor.listOutsideRefunds?.(asked, signal());
    const kind = outsideKinds[meaning];
    assert.deepEqual(
      outside?.map(({ reference: _, ...one }) => one),
      kind ? [{ kind, key: attemptId, ...reported }] : [],
      `of the dashboard, ${status}`,
    );
  }
}

for (const bureau of [stripe, mollie, paypal])
  guarantee<never>(
    `every status of a refund at ${bureau.name} means what is documented, and no other status means anything`,
    bureau.modulePath,
    async (module) => {
      const processor = bureau.open(module, door.url);
      for (const [status, meaning] of Object.entries(bureau.statuses))
        await assertMeans(bureau, processor, status, meaning);
      const cases = Object.keys(bureau.statuses).map((one) =>
        one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase(),
      );
      const strange = fc.oneof(
        fc.constantFrom(...cases, '', 'constructor'),
        fc.string().filter((text) => !Object.hasOwn(bureau.statuses, text)),
      );
      const proof = fc.asyncProperty(strange, fc.boolean(), async (status, isPresent) => {
        const request = requestOf(bureau, 700);
        door.answer(bureau.answer({ request, status, isOurs: true }, isPresent));
        await assert.rejects(processor.refund(request, signal()), `a refund that is "${status}"`);
      });
      await fc.assert(proof, { numRuns: 25 });
    },
    bureau.faults,
  );
