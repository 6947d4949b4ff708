import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseTimestamp } from './timestamp.ts';

const codeOf = (text: string) => {
  const read = parseTimestamp(text);
  return read instanceof Date ? read.toISOString() : read.code;
};

test('a timestamp is parsed exactly, with any number of zeros after the milliseconds', () => {
  const moments = fc.date({
    min: new Date(0),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moments, fc.nat({ max: 60 }), (at, zeros) => {
      assert.equal(codeOf(at.toISOString().replace('Z', `${'0'.repeat(zeros)}Z`)), at.toISOString());
    }),
  );
  for (const fraction of ['', '.0', '.00', `.${'0'.repeat(5_000)}`])
    assert.equal(codeOf(`2026-05-01t14:00:00${fraction}+02:00`), '2026-05-01T12:00:00.000Z');
  assert.equal(codeOf('2026-05-01T12:00:00.5z'), '2026-05-01T12:00:00.500Z');
});

test('a timestamp finer than a millisecond is rejected, never truncated', () => {
  for (const fraction of ['0001', '9999', '1234567', '000000001', `${'0'.repeat(60)}1`, '123000000000000004'])
    assert.equal(codeOf(`2026-05-01T12:00:00.${fraction}Z`), 'too_precise', fraction);
});

test('an invalid RFC 3339 date-time or calendar day is rejected', () => {
  const bad = ['', '2026-05-01', '2026-05-01T12:00:00', '2026-05-01 12:00:00Z', '2026-02-29T00:00:00Z'];
  for (const text of [...bad, '2026-13-01T00:00:00Z', '2026-05-01T24:00:00Z', '2026-05-01T12:00:00.Z'])
    assert.equal(codeOf(text), 'wrong_format', text);
});
