// Orders that are written in a batch: each has the same response as without a batch.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError } from '../src/base/errors.ts';
import { type CreatedPayment, createPayment } from '../src/links/create-payment.ts';
import type { PaymentRequest } from '../src/payments/schema.ts';
import { orderOf } from './harness/client.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';

type CreateResult = { status: 'created' | 'replayed'; code: string } | { status: string; fields: string[] };

const describeResult = (settled: PromiseSettledResult<CreatedPayment>): CreateResult => {
  if (settled.status === 'fulfilled') {
    const { payment, isReplay } = settled.value;
    return { status: isReplay ? 'replayed' : 'created', code: payment.code };
  }
  const { reason } = settled;
  if (!(reason instanceof ApiError))
    return { status: (reason as { code?: string }).code ?? 'error', fields: [] };
  return { status: reason.code, fields: reason.errors.map(({ field }) => field) };
};

const order = (changes: Partial<PaymentRequest> = {}) => orderOf(changes) as PaymentRequest;

for (const engine of engines)
  describe(`concurrent orders (${engine})`, () => {
    async function withPaylink(
      work: (paylink: Paylink, create: (body: PaymentRequest) => Promise<CreatedPayment>) => Promise<void>,
    ): Promise<void> {
      const paylink = await startPaylink(engine);
      try {
        const { companyId, accountId } = paylink.merchant;
        const creator = { companyId, accountId, mode: 'test' } as const;
        await work(paylink, async (body) => await createPayment(paylink.app.deps, creator, body));
      } finally {
        await paylink.stop();
      }
    }
    const count = async (paylink: Paylink, type: string) => {
      const [row] = await paylink.app.deps.db.asOwner.query<{ count: number }>(
        'select count(*) as count from events where type = $1',
        [type],
      );
      return row?.count;
    };

    test('each order is created, replayed or refused on its own', async () => {
      await withPaylink(async (paylink, create) => {
        const current = order();
        const { payment } = await create(current);
        const twin = order();
        const settled = await Promise.allSettled([
          create(order()),
          create(order({ amount: 0.001, success_url: 'javascript:alert(1)' })),
          create(current),
          create({ ...current, amount: 12 }),
          create(order({ expiresAt: '2020-01-01T00:00:00Z' })),
          create(twin),
          create(twin),
          create({ ...twin, email: 'other@example.com' }),
        ]);
        const [fresh, faulty, again, other, late, ...twins] = settled.map(describeResult);
        assert.equal(fresh?.status, 'created');
        assert.deepEqual(faulty, { status: 'invalid_fields', fields: ['amount', 'success_url'] });
        assert.deepEqual(again, { status: 'replayed', code: payment.code });
        assert.deepEqual(other, { status: 'order_conflict', fields: ['amount'] });
        assert.deepEqual(late, { status: 'invalid_fields', fields: ['expiresAt'] });
        assert.deepEqual(
          twins.map(({ status }) => status),
          ['created', 'replayed', 'order_conflict'],
        );
        assert.equal(await count(paylink, 'payment.created'), 3);
      });
    });

    test('a row that the database refuses does not affect others in the batch', async () => {
      await withPaylink(async (paylink, create) => {
        // No request can contain this value, because the schema refuses it. It represents an unforeseen error.
        const refused = order({ customerOrderId: 'x'.repeat(200) });
        const settled = await Promise.allSettled([create(order()), create(refused), create(order())]);
        assert.deepEqual(
          settled.map((each) => describeResult(each).status),
          ['created', '23514', 'created'],
        );
        assert.equal(await count(paylink, 'payment.created'), 2);
      });
    });

    test('a created response matches the database', async () => {
      await withPaylink(async (paylink, create) => {
        const { payment } = await create(
          order({
            phone: '030 123456',
            description: 'a\nb',
            metadata: { b: '1', a: '“2”\\{,}' },
            locale: 'de',
          }),
        );
        const { isReplay, payment: stored } = await create(
          order({
            customerOrderId: payment.customerOrderId,
            phone: '030 123456',
            description: 'a\nb',
            metadata: { a: '“2”\\{,}', b: '1' },
            locale: 'de',
          }),
        );
        assert.equal(isReplay, true);
        assert.deepEqual(stored, payment);
        assert.equal(await count(paylink, 'payment.created'), 1);
      });
    });
  });
