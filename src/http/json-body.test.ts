import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '../base/errors.ts';
import { parseJsonBody } from './json-body.ts';

function refusalOf(body: string | Buffer): Refusal {
  try {
    parseJsonBody(Buffer.from(body));
  } catch (error) {
    assert.ok(error instanceof Refusal);
    return error;
  }
  throw new Error(`${body} was accepted`);
}

test('what JSON can say exactly is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      if (
        !text.isWellFormed() ||
        text.includes('\\u0000') ||
        /\\ud[89a-f]/i.test(text) ||
        text.includes('__proto__')
      )
        return;
      assert.deepEqual(parseJsonBody(Buffer.from(text)), JSON.parse(text));
    }),
  );
});

test('a number that a double cannot hold is refused, naming its field', () => {
  const refusal = refusalOf('{"amount": 19.990000000000000001}');
  assert.deepEqual([refusal.code, refusal.errors[0]?.field], ['invalid_fields', 'amount']);
  assert.deepEqual(parseJsonBody(Buffer.from('{"amount": 19.990}')), { amount: 19.99 });
});

test('text that cannot be stored is refused, naming its field', () => {
  for (const value of ['"\\u0000"', '"\\ud800"', '"\\udc00x"']) {
    const refusal = refusalOf(`{"name": ${value}}`);
    assert.deepEqual([refusal.code, refusal.errors[0]?.field], ['invalid_fields', 'name']);
  }
});

test('a __proto__ key changes no object', () => {
  assert.equal(refusalOf('{"__proto__": {"admin": true}}').code, 'invalid_fields');
  assert.equal(({} as Record<string, unknown>).admin, undefined);
});

test('bytes that are no UTF-8, an empty body and half an object are malformed', () => {
  for (const body of [Buffer.from([0x7b, 0xff, 0x7d]), '', '{"a":', '{a:1}', "{'a':1}"])
    assert.equal(refusalOf(body).code, 'malformed_json');
});
