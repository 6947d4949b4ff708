import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { checkArguments } from './check-arguments.ts';

const schema = Type.Object(
  {
    code: Type.String({ minLength: 1 }),
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
    status: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['open', 'paid'] })),
    items: Type.Optional(Type.Array(Type.Object({ name: Type.String() }, { additionalProperties: false }))),
  },
  { additionalProperties: false },
);

const faultsOf = (given: unknown) =>
  checkArguments(schema, given).map(({ field, detail }) => `${field}: ${detail}`);

test('arguments that fit have no fault', () => {
  assert.deepEqual(faultsOf({ code: 'x', limit: 3, status: 'open', items: [{ name: 'a' }] }), []);
});

test('each fault names its argument and what it must be', () => {
  assert.deepEqual(faultsOf({}), ['code: This argument is required.']);
  assert.deepEqual(faultsOf({ code: 'x', limt: 3 }), [
    'limt: There is no such argument. Did you mean limit?',
  ]);
  assert.deepEqual(faultsOf({ code: 'x', status: 'lost' }), ['status: This must be one of: open, paid.']);
  assert.deepEqual(faultsOf({ code: 'x', limit: 0 }), ['limit: This must be >= 1.']);
  assert.deepEqual(faultsOf({ code: 'x', items: [{}] }), ['items.0.name: This argument is required.']);
  assert.deepEqual(faultsOf([]), [': This must be object.']);
});

test('however many arguments are wrong, the first are named', () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`x${index}`, 1]));
  assert.ok(checkArguments(schema, { code: 'x', ...many }).length > 0);
  assert.ok(checkArguments(schema, { code: 'x', items: [{ name: 'a', ...many }] }).length > 0);
});
