// The requests of connection forms, and the order of connections.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bodyOf, changeOf, moveConnection } from './connections.ts';

const kind = {
  processor: 'desk',
  title: 'The Desk',
  takes: 'page' as const,
  modes: ['test' as const],
  currencies: ['EUR', 'USD'],
  fields: [],
};

describe('connections', () => {
  test('a connection is moved past its neighbour and no further', () => {
    assert.deepEqual(moveConnection(['a', 'b', 'c'], 'b', -1), ['b', 'a', 'c']);
    assert.deepEqual(moveConnection(['a', 'b', 'c'], 'b', 1), ['a', 'c', 'b']);
    assert.deepEqual(moveConnection(['a', 'b', 'c'], 'a', -1), ['a', 'b', 'c']);
    assert.deepEqual(moveConnection(['a', 'b', 'c'], 'c', 1), ['a', 'b', 'c']);
  });

  test('a change has the changed fields: an empty secret stays, and an emptied value is removed', () => {
    const before = { name: 'Shop', currencies: ['EUR', 'USD'], credentials: { account: 'A-1', key: '' } };
    assert.deepEqual(changeOf(before, before), {});
    assert.deepEqual(changeOf(before, { ...before, credentials: { account: '', key: '' } }), {
      credentials: { account: '' },
    });
    assert.deepEqual(changeOf(before, { ...before, currencies: ['EUR'], name: '' }), {
      name: '',
      currencies: ['EUR'],
    });
  });

  test('a new connection has no empty fields, and currencies only if some are deselected', () => {
    const form = { name: ' ', currencies: ['EUR', 'USD'], credentials: { account: 'A-1', seal: ' ' } };
    assert.deepEqual(bodyOf(kind, form), { processor: 'desk', credentials: { account: 'A-1' } });
    assert.deepEqual(bodyOf(kind, { ...form, name: 'Shop', currencies: ['USD'], credentials: {} }), {
      processor: 'desk',
      name: 'Shop',
      currencies: ['USD'],
    });
  });
});
