import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openKeyring } from '../base/keyring.ts';
import { createFeedCursors } from './feed-cursor.ts';

const [oldMaster, newMaster] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const cursors = createFeedCursors(await openKeyring(oldMaster));
const place = { xact: '18446744073709551615', eventId: 'evt_01m7wf3wswavyweszg1v4e9mnn' };

test('a cursor gives its place to its own company, and to no other', () => {
  const cursor = cursors.write('co_a', place);
  assert.deepEqual(cursors.read('co_a', cursor), place);
  assert.equal(cursors.read('co_b', cursor), null);
});

test('a cursor shows neither a transaction nor an event, and two cursors of one place have no byte range in common', () => {
  const [one, two] = [1, 2].map(() => Buffer.from(cursors.write('co_a', place), 'base64url'));
  assert.ok(one && two);
  assert.ok(!one.includes('evt_') && !one.includes(Buffer.alloc(8, 0xff)));
  // A version byte and the ID of the master key; then nonce, tag and text.
  assert.deepEqual(one.subarray(0, 9), two.subarray(0, 9));
  for (const [from, to] of [
    [9, 21],
    [21, 37],
    [37, 50],
    [50, one.length],
  ])
    assert.notDeepEqual(one.subarray(from, to), two.subarray(from, to));
});

test('a cursor in the plain form of before is good for the same place', () => {
  const plain = Buffer.from(`${place.xact} ${place.eventId}`).toString('base64url');
  assert.deepEqual(cursors.read('co_a', plain), place);
});

test('a text that is no cursor, or a changed one, is refused', () => {
  const tooLarge = Buffer.from('18446744073709551616 evt_1').toString('base64url');
  const good = cursors.write('co_a', place);
  const padded = Buffer.from('7 evt_1').toString('base64');
  assert.ok(padded.endsWith('='));
  const stray = Buffer.from('7 evt_1').toString('base64url').replace(/Q$/, 'R').replace(/E$/, 'F');
  assert.deepEqual(Buffer.from(stray, 'base64url').toString(), '7 evt_1');
  const changed = [...good].map(
    (letter, index) => good.slice(0, index) + (letter === 'A' ? 'B' : 'A') + good.slice(index + 1),
  );
  const bad = [
    '',
    'x',
    'evt_1',
    '%00',
    tooLarge,
    padded,
    stray,
    `${good}=`,
    good.slice(0, -1),
    good.toLowerCase(),
  ];
  for (const text of [...bad, 'a'.repeat(201), ...changed])
    assert.equal(cursors.read('co_a', text), null, text);
});

test('while the master key is changed, cursors of both keys are good on processes of every step', async () => {
  const first = createFeedCursors(await openKeyring(oldMaster, newMaster));
  const second = createFeedCursors(await openKeyring(newMaster, oldMaster));
  for (const writer of [cursors, first, second])
    for (const reader of [first, second])
      assert.deepEqual(reader.read('co_a', writer.write('co_a', place)), place);
});
