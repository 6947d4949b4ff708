import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openKeyring } from '../base/keyring.ts';
import { createFeedCursors } from './feed-cursor.ts';

const [oldMaster, newMaster] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const cursors = createFeedCursors(await openKeyring(oldMaster));
const position = { xact: '18446744073709551615', eventId: 'evt_01m7wf3wswavyweszg1v4e9mnn' };

test('a cursor can be decoded only for its own company', () => {
  const cursor = cursors.encode('co_a', position);
  assert.deepEqual(cursors.decode('co_a', cursor), position);
  assert.equal(cursors.decode('co_b', cursor), null);
});

test('a cursor reveals neither a transaction nor an event, and two cursors of one position differ in every part', () => {
  const [one, two] = [1, 2].map(() => Buffer.from(cursors.encode('co_a', position), 'base64url'));
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

test('a plain-text cursor of earlier versions is valid', () => {
  const plain = Buffer.from(`${position.xact} ${position.eventId}`).toString('base64url');
  assert.deepEqual(cursors.decode('co_a', plain), position);
});

test('an invalid or changed cursor is rejected', () => {
  const tooLarge = Buffer.from('18446744073709551616 evt_1').toString('base64url');
  const good = cursors.encode('co_a', position);
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
    assert.equal(cursors.decode('co_a', text), null, text);
});

test('while the master key is being changed, every process accepts cursors of both keys', async () => {
  const first = createFeedCursors(await openKeyring(oldMaster, newMaster));
  const second = createFeedCursors(await openKeyring(newMaster, oldMaster));
  for (const writer of [cursors, first, second])
    for (const reader of [first, second])
      assert.deepEqual(reader.decode('co_a', writer.encode('co_a', position)), position);
});
