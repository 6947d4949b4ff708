import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStatementNames } from './statement-names.ts';

test('a statement has always the same name, and no other has it', () => {
  const nameOf = createStatementNames();
  const first = nameOf('select 1');
  assert.ok(first);
  assert.notEqual(nameOf('select 2'), first);
  assert.equal(nameOf('select 1'), first);
});

test('two processes that meet texts in another order give no name to two of them', () => {
  const [one, other] = [createStatementNames(), createStatementNames()];
  const texts = ['select 1', 'select 2', 'select 3'];
  const named = new Map(texts.map((text) => [text, one(text)]));
  for (const text of texts.toReversed()) assert.equal(other(text), named.get(text));
  assert.equal(new Set(named.values()).size, texts.length);
});

test('a name is plain and fits into the 63 bytes that PostgreSQL keeps of it', () => {
  const name = createStatementNames()(`select '${'x'.repeat(10_000)}'`) ?? '';
  assert.match(name, /^[\w-]{1,63}$/);
});

test('however many texts there are, the names are bounded, and those that were given stay', () => {
  const nameOf = createStatementNames();
  const seventh = nameOf('select 7');
  const named = new Set<string | undefined>([seventh]);
  for (let n = 0; n < 3_000; n++) {
    const name = nameOf(`select ${n}`);
    if (name) named.add(name);
  }
  assert.equal(named.size, 1_000);
  assert.equal(nameOf('select 7'), seventh);
});
