import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openKeyring } from '../base/keyring.ts';
import { isSameSite, issueFormToken, isValidFormToken } from './form-token.ts';

const now = new Date('2026-05-01T12:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);

test('a form token is valid for one link and one day', async () => {
  const keyring = await openKeyring(Buffer.alloc(32, 1));
  const stranger = await openKeyring(Buffer.alloc(32, 2));
  const token = issueFormToken(keyring, 'code1', now);
  assert.ok(isValidFormToken(keyring, 'code1', token, now));
  assert.ok(isValidFormToken(keyring, 'code1', token, later(24 * 3600_000)));
  assert.ok(!isValidFormToken(keyring, 'code1', token, later(24 * 3600_000 + 1)));
  assert.ok(!isValidFormToken(keyring, 'code1', token, later(-1)), 'a token from the future is forged');
  assert.ok(!isValidFormToken(keyring, 'code2', token, now));
  assert.ok(!isValidFormToken(stranger, 'code1', token, now));
  for (const text of ['', '.', 'x', `${token}x`, token.slice(1), `0${token}`, token.toUpperCase()])
    assert.ok(!isValidFormToken(keyring, 'code1', text, now), text);
});

test('a POST from another site is refused', () => {
  assert.ok(isSameSite(undefined));
  assert.ok(isSameSite('same-origin'));
  assert.ok(!isSameSite('cross-site'));
  assert.ok(!isSameSite('same-site'));
});
