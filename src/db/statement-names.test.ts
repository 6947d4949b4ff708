import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStatementNames } from './statement-names.ts';

test('a statement has a name from its second use on, always the same, and no other has it', () => {
  const nameOf = createStatementNames();
  assert.equal(nameOf('select 1'), undefined);
  assert.equal(nameOf('select 2'), undefined);
  const first = nameOf('select 1');
  const second = nameOf('select 2');
  assert.ok(first);
  assert.ok(second);
  assert.notEqual(first, second);
  assert.equal(nameOf('select 1'), first);
});

test('however many texts there are, the names and what is remembered are bounded', () => {
  const nameOf = createStatementNames();
  for (let n = 0; n < 20_000; n++) nameOf(`select ${n}`);
  const named = new Set<string>();
  for (let n = 0; n < 3_000; n++) {
    nameOf(`select 'twice', ${n}`);
    const name = nameOf(`select 'twice', ${n}`);
    if (name) named.add(name);
  }
  assert.equal(named.size, 1_000);
});
