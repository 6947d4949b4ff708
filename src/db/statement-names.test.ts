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

test('however many texts there are, the names are bounded, and those that were given stay', () => {
  const nameOf = createStatementNames();
  const named = new Set<string>();
  for (let n = 0; n < 3_000; n++) {
    const name = nameOf(`select ${n}`);
    if (name) named.add(name);
  }
  assert.equal(named.size, 1_000);
  assert.equal(nameOf('select 7'), 'paylink_8');
});
