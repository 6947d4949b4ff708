// The items of a payment: what is refused and how, what the API returns, and what counts as the same order.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type Answer,
  type Credentials,
  call,
  credentialHeaders,
  type Json,
  logIn,
  orderOf,
  processPayment,
  readAnswer,
} from './harness/client.ts';
import { blocksOf, read, sectionOf } from './harness/documents.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';

let paylink: Paylink;
let owner: Credentials;
before(async () => {
  paylink = await startPaylink('server', { settings: { RATE_LIMIT_PROCESS_PER_SECOND: '0' } });
  owner = await logIn(paylink);
});
after(async () => await paylink.stop());

type Item = Json;
type Fault = { field: string; code: string; detail: string };

const tickets = { name: 'Ticket', quantity: 2, unitAmount: 12.5, taxRate: 19 };
const discount = { name: 'Discount', quantity: 1, unitAmount: -5.01, taxRate: 19 };
const items: readonly Item[] = [tickets, discount];

const send = async (fields: Json): Promise<Answer> => await processPayment(paylink, owner, orderOf(fields));
const faultsOf = ({ body }: Answer): Fault[] => body.errors as Fault[];
const codesOf = (answer: Answer): string[] => faultsOf(answer).map(({ field, code }) => `${field} ${code}`);

async function create(fields: Json): Promise<Json> {
  const answer = await send(fields);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

test('a payment has its items and the tax in them, wherever it is shown', async () => {
  const created = await create({ items });
  assert.deepEqual(created.items, items);
  assert.deepEqual(created.taxes, [{ taxRate: 19, grossAmount: 19.99, taxAmount: 3.19 }]);
  const code = String(created.PaymentLinkCode);
  const shown = await call(paylink, owner, ['GET', `/v1/payments/${code}`]);
  assert.deepEqual([shown.body.items, shown.body.taxes], [created.items, created.taxes]);
  const list = await call(paylink, owner, ['GET', `/v1/payments?customerOrderId=${created.customerOrderId}`]);
  assert.deepEqual((list.body.data as Json[])[0]?.items, created.items);
  const lines = await fetch(`${paylink.baseUrl}/v1/exports/payments?format=ndjson`, {
    headers: credentialHeaders(owner),
  });
  const exported = (await lines.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
  assert.deepEqual(exported.find(({ PaymentLinkCode }) => PaymentLinkCode === code)?.taxes, created.taxes);
});

test('the request of docs/api.md is accepted, with the tax that the page explains', async () => {
  const [sample = ''] = blocksOf(sectionOf(read('docs/api.md'), '### Items'), 'json');
  const created = await create(JSON.parse(sample) as Json);
  assert.deepEqual(created.taxes, [{ taxRate: 19, grossAmount: 19.99, taxAmount: 3.19 }]);
});

test('a payment without items has empty lists, and an empty list is the same as none', async () => {
  const first = await create({});
  assert.deepEqual([first.items, first.taxes], [[], []]);
  for (const none of [[], null, '']) {
    const again = await send({ customerOrderId: first.customerOrderId, items: none });
    assert.equal(again.headers.get('idempotent-replayed'), 'true', JSON.stringify(none));
  }
});

test('amounts, rates and names are kept exactly, in the order of the request', async () => {
  const sent = [
    { name: 'B', quantity: 9_999, unitAmount: 0.01, taxRate: 7.7 },
    { name: 'A', quantity: 1, unitAmount: 0.1, taxRate: 19.12 },
    { name: '👩‍💻 کتاب‌خانه', quantity: 3, unitAmount: 0.2, taxRate: null },
    { name: 'Gift', quantity: 1, unitAmount: 0, taxRate: 0 },
    { name: '  𝒳'.repeat(66), quantity: 1, unitAmount: -200, taxRate: 100 },
    { name: 'Most', quantity: 1, unitAmount: 10_000_000, taxRate: 100 },
  ];
  const created = await create({ amount: 9_999_900.69, items: sent });
  assert.deepEqual(created.items, sent);
  const rates = (created.taxes as Json[]).map(({ taxRate }) => taxRate);
  assert.deepEqual(rates, [100, 19.12, 7.7, 0]);
});

test('a rate that is missing is null, and numbers with an exponent are read exactly', async () => {
  const body = JSON.stringify(orderOf({ amount: 0 })).replace('"amount":0', '"amount":2e1');
  const list =
    '[{"name":"Tea","quantity":1e1,"unitAmount":25e-1},{"name":"Less","quantity":1,"unitAmount":-5.0}]';
  const answer = await sendText(body.replace(/}$/, `,"items":${list}}`));
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual(answer.body.items, [
    { name: 'Tea', quantity: 10, unitAmount: 2.5, taxRate: null },
    { name: 'Less', quantity: 1, unitAmount: -5, taxRate: null },
  ]);
});

async function sendText(text: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...credentialHeaders(owner) };
  return await readAnswer(
    await fetch(`${paylink.baseUrl}/v1/payment/process`, { method: 'POST', headers, body: text }),
  );
}

const one = (changes: Json) => [{ name: 'Ticket', quantity: 1, unitAmount: 19.99, ...changes }];

const refused: readonly [what: string, items: unknown, faults: readonly string[]][] = [
  ['a text', 'Ticket', ['items wrong_type']],
  ['an object', tickets, ['items wrong_type']],
  ['a list of texts', ['Ticket'], ['items.0 wrong_type']],
  ['500 items', Array.from({ length: 500 }, () => tickets), ['items too_many']],
  ['101 items', Array.from({ length: 101 }, () => tickets), ['items too_many']],
  [
    'an item without fields',
    [{}],
    ['items.0.name missing', 'items.0.quantity missing', 'items.0.unitAmount missing'],
  ],
  ['an unknown field', one({ price: 1 }), ['items.0.price unknown_field']],
  ['no name', one({ name: '' }), ['items.0.name too_short']],
  ['a blank name', one({ name: ' \u2800\u200d ' }), ['items.0.name not_printable']],
  ['a name of 201 characters', one({ name: 'x'.repeat(201) }), ['items.0.name too_long']],
  ['a name of 10,000 characters', one({ name: 'x'.repeat(10_000) }), ['items.0.name too_long']],
  ['a name with a line break', one({ name: 'a\nb' }), ['items.0.name not_printable']],
  ['a name with a line separator', one({ name: 'a\u2028b' }), ['items.0.name not_printable']],
  ['a name with a NUL', one({ name: 'a\0b' }), ['items.0.name not_text']],
  ['a name with an override of the direction', one({ name: 'a\u202eb' }), ['items.0.name not_printable']],
  ['a name with an isolate', one({ name: 'a\u2066b' }), ['items.0.name not_printable']],
  ['a name that is a number', one({ name: 7 }), ['items.0.name wrong_type']],
  ['half a ticket', one({ quantity: 1.5 }), ['items.0.quantity wrong_type']],
  ['no ticket', one({ quantity: 0 }), ['items.0.quantity out_of_range']],
  ['a negative quantity', one({ quantity: -1 }), ['items.0.quantity out_of_range']],
  ['a quantity of 10,000', one({ quantity: 10_000 }), ['items.0.quantity out_of_range']],
  ['a quantity as text', one({ quantity: '1' }), ['items.0.quantity wrong_type']],
  ['a unit amount as text', one({ unitAmount: '19.99' }), ['items.0.unitAmount wrong_type']],
  ['NaN as text', one({ unitAmount: 'NaN' }), ['items.0.unitAmount wrong_type']],
  ['no unit amount', one({ unitAmount: null }), ['items.0.unitAmount wrong_type']],
  ['a unit amount of three decimals', one({ unitAmount: 19.999 }), ['items.0.unitAmount too_precise']],
  ['a tiny unit amount', one({ unitAmount: 1e-7 }), ['items.0.unitAmount too_precise']],
  ['a unit amount that is too large', one({ unitAmount: 10_000_000.01 }), ['items.0.unitAmount too_large']],
  ['a discount that is too large', one({ unitAmount: -10_000_000.01 }), ['items.0.unitAmount too_large']],
  ['an immense unit amount', one({ unitAmount: 1e300 }), ['items.0.unitAmount too_large']],
  [
    'a line that is too large',
    one({ quantity: 9_999, unitAmount: 1_000.11 }),
    ['items.0.unitAmount too_large'],
  ],
  ['a rate of three decimals', one({ taxRate: 19.123 }), ['items.0.taxRate too_precise']],
  ['a negative rate', one({ taxRate: -1 }), ['items.0.taxRate out_of_range']],
  ['a rate above 100', one({ taxRate: 100.01 }), ['items.0.taxRate out_of_range']],
  ['a rate as text', one({ taxRate: '19' }), ['items.0.taxRate wrong_type']],
  [
    'faults in several items',
    [...one({ quantity: 1.5 }), ...one({ name: 'a\nb', taxRate: 1.234 })],
    ['items.0.quantity wrong_type', 'items.1.name not_printable', 'items.1.taxRate too_precise'],
  ],
];

for (const [what, list, faults] of refused)
  test(`items are refused with 422: ${what}`, async () => {
    const answer = await send({ items: list });
    assert.deepEqual([answer.status, codesOf(answer).sort()], [422, [...faults].sort()]);
    for (const { detail } of faultsOf(answer)) assert.match(detail, /^[A-Z].*\.$|^quantity .*\.$/);
    // Whatever else is wrong is in the same response.
    const more = await send({ items: list, amount: 0, firstName: 'a\u0007' });
    assert.deepEqual(
      codesOf(more).sort(),
      [...faults, 'amount not_positive', 'firstName not_printable'].sort(),
    );
  });

const numbers: readonly [literal: string, status: number, faults: readonly string[]][] = [
  ['NaN', 400, []],
  ['Infinity', 400, []],
  ['01', 400, []],
  ['1e400', 422, ['not_exact']],
  ['19.990000000000000001', 422, ['not_exact']],
  ['9007199254740993', 422, ['not_exact']],
];

for (const [literal, status, codes] of numbers)
  test(`a unit amount of ${literal} is refused with ${status}`, async () => {
    const body = JSON.stringify(orderOf({ items: one({ unitAmount: 0.5 }) }));
    const answer = await sendText(body.replace('"unitAmount":0.5', `"unitAmount":${literal}`));
    assert.equal(answer.status, status);
    if (status === 422)
      assert.deepEqual(
        codesOf(answer),
        codes.map((code) => `items.0.unitAmount ${code}`),
      );
  });

test('a sum that differs from the amount is refused, and the error names both', async () => {
  const answer = await send({ amount: 20, items });
  assert.equal(answer.status, 422);
  assert.deepEqual(faultsOf(answer), [
    {
      field: 'items',
      code: 'sum_differs',
      detail:
        'The items add up to 19.99 EUR, but amount is 20.00 EUR. The sum of quantity × unitAmount must equal amount.',
    },
  ]);
  const negative = await send({ amount: 20, currency: 'USD', items: [discount] });
  assert.match(
    faultsOf(negative)[0]?.detail ?? '',
    /^The items add up to -5\.01 USD, but amount is 20\.00 USD\./,
  );
});

test('a hundred of the largest items are added exactly', async () => {
  const most = { name: 'Most', quantity: 9_999, unitAmount: 1_000.1 };
  const fifty = Array.from({ length: 49 }, () => [most, { ...most, unitAmount: -1_000.1 }]).flat();
  const created = await create({ amount: 19.99, items: [...fifty, tickets, discount] });
  assert.equal((created.items as Json[]).length, 100);
  const answer = await send({ items: Array.from({ length: 100 }, () => most) });
  assert.match(faultsOf(answer)[0]?.detail ?? '', /^The items add up to 999999990\.00 EUR,/);
});

test('items are compared when an order is repeated: other items are a conflict, the same ones a replay', async () => {
  const { customerOrderId } = await create({ items });
  const again = await send({ customerOrderId, items });
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true']);
  const same = await send({
    customerOrderId,
    items: [{ ...tickets, unitAmount: 12.5, taxRate: 19.0 }, discount],
  });
  assert.equal(same.status, 200);
  const changed: readonly (readonly Item[])[] = [
    [],
    [discount, tickets],
    [{ ...tickets, name: 'Tickets' }, discount],
    [{ ...tickets, taxRate: 7 }, discount],
    [{ ...tickets, taxRate: null }, discount],
    [{ ...tickets, quantity: 1, unitAmount: 25 }, discount],
  ];
  for (const other of changed) {
    const answer = await send({ customerOrderId, items: other });
    assert.deepEqual([answer.status, codesOf(answer)], [409, ['items differs']], JSON.stringify(other));
  }
});

test('the database refuses items that add up to another amount', async () => {
  const { PaymentLinkCode } = await create({ items });
  const db = paylink.app.deps.db.asOwner;
  for (const change of [
    'amount_minor = amount_minor + 1',
    `items = items || '[{"quantity":1,"unitAmountMinor":1}]'`,
  ])
    await assert.rejects(
      db.query(`update payments set ${change} where code = $1`, [PaymentLinkCode]),
      /payments_items_total/,
    );
});
