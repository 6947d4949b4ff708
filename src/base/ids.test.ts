import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  companyOfApiKeyId,
  companyOfLinkCode,
  deriveApiKeyId,
  deriveId,
  isCompanyId,
  newApiKeyId,
  newCompanyId,
  newId,
  newLinkCode,
  randomBase62,
} from './ids.ts';

test('later IDs sort later', () => {
  const start = new Date('2026-01-01T00:00:00Z').getTime();
  const ids = [0, 1, 50, 1000, 86_400_000, 31_536_000_000].map((ms) => newId('pay', new Date(start + ms)));
  assert.deepEqual([...ids].sort(), ids);
  assert.match(ids[0] ?? '', /^pay_[0-9a-hjkmnp-tv-z]{26}$/);
});

test('IDs of one millisecond sort in creation order', () => {
  const at = new Date('2026-01-01T00:00:00Z');
  const ids = Array.from({ length: 5000 }, () => newId('evt', at));
  assert.deepEqual([...ids].sort(), ids);
  assert.equal(new Set(ids).size, 5000);
});

test('IDs of one time sort in creation order, however many other IDs are created in between', () => {
  const start = new Date('2026-02-01T00:00:00Z').getTime();
  const inTurn = Array.from({ length: 40 }, (_, i) => {
    const id = newId('evt', new Date(start));
    newId('req', new Date(start + 1 + i));
    return id;
  });
  assert.deepEqual([...inTurn].sort(), inTurn);
});

test('10,000 link codes are unique, and each contains its company', () => {
  const companyId = newCompanyId();
  const codes = new Set(Array.from({ length: 10_000 }, () => newLinkCode(companyId)));
  assert.equal(codes.size, 10_000);
  for (const code of codes) assert.equal(companyOfLinkCode(code), companyId);
  assert.ok(isCompanyId(companyId));
  assert.equal(companyOfApiKeyId(newApiKeyId(companyId)), companyId);
});

test('no company is read from an invalid link code', () => {
  for (const text of [
    '',
    'x',
    '../etc',
    `${'a'.repeat(8)}${'b'.repeat(21)}`,
    `AAAAAAAA${'b'.repeat(22)}`,
    'ü'.repeat(30),
  ])
    assert.equal(companyOfLinkCode(text), null);
});

test('the characters of base 62 are evenly distributed', () => {
  const counts = new Map<string, number>();
  for (const char of randomBase62(62_000)) counts.set(char, (counts.get(char) ?? 0) + 1);
  assert.equal(counts.size, 62);
  for (const count of counts.values())
    assert.ok(count > 800 && count < 1200, `a character came ${count} times`);
});

test('an ID from a time and bytes is deterministic, has the common form, and differs for other bytes', () => {
  const at = new Date('2026-01-01T00:00:00Z');
  const bytes = Buffer.alloc(32, 5);
  const id = deriveId('ref', at, bytes);
  assert.equal(deriveId('ref', at, bytes), id);
  assert.match(id, /^ref_[0-9a-hjkmnp-tv-z]{26}$/);
  assert.equal(id.slice(0, 14), newId('ref', at).slice(0, 14));
  assert.notEqual(deriveId('ref', at, Buffer.alloc(32, 6)), id);
  assert.throws(() => deriveId('ref', at, Buffer.alloc(15)), RangeError);
  const companyId = newCompanyId();
  assert.equal(companyOfApiKeyId(deriveApiKeyId(companyId, bytes)), companyId);
  assert.equal(deriveApiKeyId(companyId, bytes), deriveApiKeyId(companyId, bytes));
});
