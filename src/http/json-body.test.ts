import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../base/errors.ts';
import { isSameDecimal } from '../base/money.ts';
import { parseJsonBody } from './json-body.ts';

function refusalOf(body: string | Buffer): ApiError {
  try {
    parseJsonBody(Buffer.from(body));
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error;
  }
  throw new Error(`${body} was accepted`);
}

test('exact JSON is read as it was written', () => {
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
      assert.equal(JSON.stringify(parseJsonBody(Buffer.from(text))), text);
    }),
  );
});

test('an object may have 1,000 names, and not more', () => {
  const objectOf = (count: number) =>
    JSON.stringify(Object.fromEntries([...Array(count).keys()].map((n) => [`n${n}`, n])));
  assert.equal(Object.keys(parseJsonBody(Buffer.from(objectOf(1_000))) as object).length, 1_000);
  assert.equal(refusalOf(objectOf(1_001)).code, 'malformed_json');
});

test('an array may have 1,000 values, and not more', () => {
  const arrayOf = (count: number) => JSON.stringify({ list: [[], {}, ...Array(count - 2).fill('a,b')] });
  assert.equal((parseJsonBody(Buffer.from(arrayOf(1_000))) as { list: unknown[] }).list.length, 1_000);
  assert.equal(refusalOf(arrayOf(1_001)).code, 'malformed_json');
});

test('a number that a double cannot represent is rejected by field', () => {
  const refusal = refusalOf('{"amount": 19.990000000000000001}');
  assert.deepEqual([refusal.code, refusal.errors[0]?.field], ['invalid_fields', 'amount']);
  assert.deepEqual(parseJsonBody(Buffer.from('{"amount": 19.990}')), { amount: 19.99 });
});

test('a number of any length and place is parsed as the sent decimal or rejected', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 12 });
  const whole = digits.map((text) => text.replace(/^0+(?=.)/, ''));
  fc.assert(
    fc.property(
      whole,
      digits,
      fc.boolean(),
      fc.constantFrom('', 'e2', 'E-3'),
      (left, right, isNested, power) => {
        const sent = `${left}.${right}${power}`;
        const body = Buffer.from(isNested ? `{"a":[{"b":${sent}}]}` : `{"a":${sent},"text":"t"}`);
        let read: unknown;
        try {
          read = parseJsonBody(body);
        } catch (error) {
          assert.equal(Number(sent).toString().includes('e') || sent.length > 16, true, sent);
          assert.equal((error as ApiError).code, 'invalid_fields');
          return;
        }
        const number = /:(-?[\d.e+-]+)[,}]/.exec(JSON.stringify(read))?.[1] ?? '';
        assert.ok(isSameDecimal(sent, number), `${sent} became ${number}`);
      },
    ),
    { numRuns: 500 },
  );
});

test('text that cannot be stored is rejected by field', () => {
  for (const value of ['"\\u0000"', '"\\ud800"', '"\\udc00x"']) {
    const refusal = refusalOf(`{"name": ${value}}`);
    assert.deepEqual([refusal.code, refusal.errors[0]?.field], ['invalid_fields', 'name']);
  }
});

test('a __proto__ key changes no object', () => {
  assert.equal(refusalOf('{"__proto__": {"admin": true}}').code, 'invalid_fields');
  assert.equal(({} as Record<string, unknown>).admin, undefined);
});

test('invalid UTF-8, an empty body and half an object are malformed', () => {
  for (const body of [Buffer.from([0x7b, 0xff, 0x7d]), '', '{"a":', '{a:1}', "{'a':1}"])
    assert.equal(refusalOf(body).code, 'malformed_json');
});

test('a duplicate name in an object is rejected by name, in any spelling', () => {
  for (const [body, name] of [
    ['{"amount":1,"amount":1000}', 'amount'],
    ['{"a":{"b":1,"c":[{"d":1},{"d":1,"d" :2}]}}', 'd'],
    ['{"amount":1,"\\u0061mount":1000}', 'amount'],
    ['{"a\\"":1 , "x":"\\\\", "a\\"":2}', 'a"'],
  ] as const) {
    const refusal = refusalOf(body);
    assert.deepEqual([refusal.code, refusal.errors[0]?.field], ['malformed_json', name], body);
  }
});

test('a name may occur in several objects, in arrays and in texts', () => {
  for (const body of [
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
    '["a","a"]',
    '{"a":"\\"a\\":1","b":"a"}',
    '{"a":["a","a"],"b":{"a":1}}',
  ])
    assert.deepEqual(parseJsonBody(Buffer.from(body)), JSON.parse(body));
});

test('objects and arrays may be nested 32 deep, and not deeper', () => {
  const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
  assert.deepEqual(parseJsonBody(Buffer.from(nested(32))), JSON.parse(nested(32)));
  assert.equal(refusalOf(nested(34)).code, 'malformed_json');
  assert.equal(refusalOf('['.repeat(60_000)).code, 'malformed_json');
});

test('two spellings of one name count as duplicates', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (object, pick) => {
      const names = Object.keys(object).filter((name) => name !== '__proto__');
      const name = names[pick % Math.max(1, names.length)];
      if (name === undefined) return;
      const text = `{${names.map((one) => `${JSON.stringify(one)}:1`).join()},${JSON.stringify(name)}:2}`;
      assert.equal(refusalOf(text).code, 'malformed_json');
    }),
  );
});

test('a body keeps its names with escapes, whatever body was read before', () => {
  parseJsonBody(Buffer.from(String.raw`{"metadata":{"a":"","b\\":""}}`));
  const body = String.raw`{"metadata":{"a":"","b\n":""}}`;
  assert.equal(JSON.stringify(parseJsonBody(Buffer.from(body))), body);
});
