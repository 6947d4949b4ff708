// Who may change which member.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOnlyOwner, mayChange, rolesToGive, sortRoles } from './may-change.ts';

const owner = { accountId: 'a', roles: ['owner'] };
const admin = { accountId: 'b', roles: ['admin'] };
const both = { accountId: 'c', roles: ['viewer', 'owner'] };

test('only an owner may add, change or remove owners', () => {
  assert.ok(rolesToGive(owner).includes('owner'));
  assert.deepEqual(rolesToGive(admin), ['admin', 'developer', 'support', 'viewer']);
  assert.equal(mayChange(owner, both), true);
  assert.equal(mayChange(admin, both), false);
  assert.equal(mayChange(admin, admin), true);
});

test('the only owner is recognised once all members are loaded', () => {
  const members = [owner, admin];
  assert.equal(isOnlyOwner(owner, { members, isComplete: true }), true);
  assert.equal(isOnlyOwner(owner, { members, isComplete: false }), false);
  assert.equal(isOnlyOwner(admin, { members, isComplete: true }), false);
  assert.equal(isOnlyOwner(owner, { members: [...members, both], isComplete: true }), false);
});

test('roles are ordered by their rights', () => {
  assert.deepEqual(sortRoles(['viewer', 'owner', 'stranger']), ['owner', 'viewer']);
});
