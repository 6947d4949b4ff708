import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStatementNames } from './statement-names.ts';

test('a statement always has the same, unique name', () => {
  const nameOf = createStatementNames();
  const first = nameOf('select 1');
  assert.ok(first);
  assert.notEqual(nameOf('select 2'), first);
  assert.equal(nameOf('select 1'), first);
});

test('processes that see texts in different orders give each a unique name', () => {
  const [one, other] = [createStatementNames(), createStatementNames()];
  const texts = ['select 1', 'select 2', 'select 3'];
  const named = new Map(texts.map((text) => [text, one(text)]));
  for (const text of texts.toReversed()) assert.equal(other(text), named.get(text));
  assert.equal(new Set(named.values()).size, texts.length);
});

test('a name is plain ASCII and fits the 63 bytes of PostgreSQL', () => {
  const name = createStatementNames()(`select '${'x'.repeat(10_000)}'`) ?? '';
  assert.match(name, /^[\w-]{1,63}$/);
});

test('the number of names is limited, and existing names stay', () => {
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
