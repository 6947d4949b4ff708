import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuMs } from '../../test/harness/worst-texts.ts';
import { parseJson } from './json.ts';

/** After an object with such names, JSON.parse of Node.js 24 misreads names whose text begins like them. */
const before = [String.raw`{"a":"","b\\":""}`, String.raw`{"":"","q\\u0":""}`];

test('a name with an escape is read as written, whatever object was parsed before', () => {
  for (const text of before) parseJson(text);
  const texts = [String.raw`{"a":"","b\n":""}`, String.raw`{"":"","q\u0041bc":""}`];
  const names = texts.map((text) => Object.keys(parseJson(text) as object));
  assert.deepEqual(names, [
    ['a', 'b\n'],
    ['', 'qAbc'],
  ]);
});

test('every value is read as it was written', () => {
  const name = fc.string({ unit: fc.constantFrom('a', '\\', '"', '\n', 'u', '0', ':', ' ') });
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, name, fc.double({ noNaN: true }), tie('object'), fc.array(tie('any'))),
    object: fc.dictionary(name, tie('any')),
  })).any;
  fc.assert(
    fc.property(value, (written) => {
      const text = JSON.stringify(written);
      assert.equal(JSON.stringify(parseJson(text)), text);
    }),
    { numRuns: 2_000 },
  );
});

test('a reviver sees the names as written, and what it drops is gone', () => {
  const seen: string[] = [];
  const value = parseJson(String.raw`{"a\n":{"b\t":1,"c":2},"drop\n":3}`, (key, member) => {
    seen.push(key);
    return key === 'drop\n' ? undefined : member;
  });
  assert.deepEqual(seen, ['b\t', 'c', 'a\n', 'drop\n', '']);
  assert.deepEqual(value, { 'a\n': { 'b\t': 1, c: 2 } });
});

test('the position of an error is that in the text as written', () => {
  for (const text of [String.raw`{"a\n":1,"b":}`, String.raw`{"a\x":1}`, String.raw`{"a\n":1,"b\n`])
    assert.throws(
      () => parseJson(text),
      (error: Error) => {
        assert.ok(error instanceof SyntaxError);
        assert.throws(() => JSON.parse(text) as unknown, { message: error.message });
        return true;
      },
    );
});

test('names that could collide with replaced ones, and special ones, keep their own', () => {
  const text = String.raw`{"0":0,"name-0":1,"a\n":2,"__proto__\t":3}`;
  assert.equal(JSON.stringify(parseJson(text)), text);
});

test('a text with many escapes takes time in proportion to its length', () => {
  const read = (length: number) => {
    const text = JSON.stringify({ 'a\n': `name-${'-"\\x'.repeat(length)}` });
    return cpuMs(() => void parseJson(text), 3);
  };
  read(1_000);
  // In proportion, it would be 16 times; quadratic, 256 times.
  const [short, long] = [read(10_000), read(160_000)];
  assert.ok(long < 64 * Math.max(1, short), `${short} ms, ${long} ms`);
});
