// What the request log shows of a value, by the schema of its route.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { compileRedaction, type JsonSchema } from './redact.ts';
import { hidden, maySayCard, showId, showTextOf } from './shown-fields.ts';

const redact = (schema: object, value: unknown) => compileRedaction(schema as JsonSchema)(value);

test('only fields of the schema are shown, and of unknown ones not even the name', () => {
  const schema = Type.Object({ amount: Type.Number(), live: Type.Boolean(), note: Type.String() });
  assert.deepEqual(
    redact(schema, { amount: 19.99, live: true, note: 'for Ada', pasword: 'hunter2', cvc: 123 }),
    {
      ...{ amount: 19.99, live: true, note: hidden, '[unknown fields]': 2 },
    },
  );
  assert.equal(compileRedaction(undefined)({ amount: 1 }), hidden);
  for (const value of ['text', 7, [{ amount: 1 }], Buffer.from('x')])
    assert.equal(redact(schema, value), hidden);
});

test('a value of another type than the schema says is hidden', () => {
  const schema = Type.Object({
    amount: Type.Number(),
    mode: Type.String({ enum: ['test', 'live'] }),
    id: Type.String(),
  });
  assert.deepEqual(redact(schema, { amount: '4242', mode: 'card', id: { secret: 'x' } }), {
    ...{ amount: hidden, mode: hidden, id: hidden },
  });
  assert.deepEqual(redact(schema, { amount: 4242424242424242, mode: 'live', id: null }), {
    ...{ amount: hidden, mode: 'live', id: null },
  });
});

test('names, email addresses and phone numbers are masked, and addresses lose their path', () => {
  const cases: readonly [string, string, string][] = [
    ['firstName', 'Ada', 'A***'],
    ['lastName', '4242', '***'],
    ['email', 'ada@example.com', 'a***@example.com'],
    ['email', 'ada', hidden],
    ['phone', '+49 30 1234567', '***67'],
    ['success_url', 'https://shop.example/thanks?token=abc', 'https://shop.example/…'],
    ['success_url', 'https://shop.example', 'https://shop.example'],
    ['success_url', 'https://user:7890@shop.example/', hidden],
    ['success_url', 'https://user:secret@shop.example/', hidden],
    ['PaymentLink', 'http://localhost:8080/pay/abc', 'http://localhost:8080/…'],
    ['metadata', 'x', hidden],
    ['customerOrderId', 'order 7/ü', 'order 7/ü'],
    ['customerOrderId', 'ada@example.com', hidden],
    ['customerOrderId', 'a\u0000b', hidden],
    ['customerOrderId', '\ud83c', hidden],
    ['id', 'pay_01m7wf3wswavyweszg1v4e9mnn', 'pay_01m7wf3wswavyweszg1v4e9mnn'],
    ['id', 'dGhpcyBpcyBhIGNyZWRlbnRpYWw', hidden],
    ['type', 'payment.*', 'payment.*'],
    ['createdAt', '2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00.000Z'],
    ['createdAt', '4242-42-42', '4242-42-42'],
    ['createdAt', '4242-4242-4242-4242', hidden],
    ['note', '', ''],
  ];
  for (const [name, text, expected] of cases)
    assert.equal(showTextOf(name)(text), expected, `${name}: ${text}`);
});

test('no text and no ID with the number of a card is shown, however it is written', () => {
  for (const text of [
    '4242424242424242',
    '4242 4242 4242 4242',
    'no. 4242-4242-4242-4242!',
    '4242.4242/4242_4242',
    '4242424242424242 817',
    'x4242424242424242x',
  ])
    assert.equal(maySayCard(text), true, text);
  for (const text of ['1764337918123', '20261120-100000', '2026-11-20', '01m7wf3wswavyweszg1v4e9mnn', '123'])
    assert.equal(maySayCard(text), false, text);
  assert.equal(showTextOf('customerOrderId')('card 4242 4242 4242 4242'), hidden);
  assert.equal(showId('4242424242424242'), hidden);
  assert.equal(showId('plk_test_3f7k2m9qyt5wp0hy_0123456789abcdef0123456789abcdef0123456789abcdef'), hidden);
});

test('of a long list the first entries are shown, and how many follow', () => {
  const schema = Type.Object({ data: Type.Array(Type.Object({ n: Type.Integer() })) });
  const data = Array.from({ length: 100 }, (_, n) => ({ n }));
  const { data: shown } = redact(schema, { data }) as { data: unknown[] };
  assert.deepEqual([shown.length, shown[0], shown[5]], [6, { n: 0 }, '[95 more]']);
});

test('a brief value has only what is shown as it is', () => {
  const schema = Type.Object({
    ...{
      status: Type.String(),
      email: Type.String(),
      note: Type.String(),
      closedAt: Type.Union([Type.String(), Type.Null()]),
    },
    items: Type.Array(Type.Object({ name: Type.String(), quantity: Type.Integer() })),
  });
  const value = {
    ...{ status: 'paid', email: 'ada@example.com', note: 'x', closedAt: null },
    items: [{ name: 'x', quantity: 2 }],
  };
  assert.deepEqual(compileRedaction(schema as JsonSchema, { isBrief: true })(value), {
    status: 'paid',
    items: [{ quantity: 2 }],
  });
});

test('records and unions show what one of their branches declares', () => {
  const schema = Type.Object({
    metadata: Type.Record(Type.String(), Type.String()),
    ended: Type.Union([Type.Object({ n: Type.Integer() }), Type.Null()]),
  });
  assert.deepEqual(redact(schema, { metadata: { card: '4242' }, ended: null }), {
    metadata: hidden,
    ended: null,
  });
  assert.deepEqual(redact(schema, { ended: { n: 1 } }), { ended: { n: 1 } });
});
