import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOfStep, stepOf, stepOfCode, toBase32, totpUri } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

test('codes are those of RFC 6238, appendix B', () => {
  const vectors: [seconds: number, code: string][] = [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ];
  for (const [seconds, code] of vectors)
    assert.equal(codeOfStep(secret, stepOf(new Date(seconds * 1000)), 8), code);
});

test('a code is valid in its own step, the one before and the one after', () => {
  const at = new Date(1_111_111_111_000);
  const own = stepOf(at);
  for (const off of [-1, 0, 1])
    assert.equal(stepOfCode(secret, codeOfStep(secret, own + off), at), own + off);
  for (const off of [-2, 2]) assert.equal(stepOfCode(secret, codeOfStep(secret, own + off), at), null);
});

test('a secret is encoded as in RFC 4648, without padding', () => {
  for (const [text, shown] of [
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foobar', 'MZXW6YTBOI'],
  ])
    assert.equal(toBase32(Buffer.from(text ?? '')), shown);
  const url = new URL(totpUri(secret, 'a+b@example.com'));
  assert.deepEqual(
    [url.protocol, url.host, decodeURIComponent(url.pathname)],
    ['otpauth:', 'totp', '/Paylink:a+b@example.com'],
  );
  assert.equal(url.searchParams.get('secret'), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
});
