// Who may change which member.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOnlyOwner, mayChange, rolesToGive, sortRoles } from './may-change.ts';

const owner = { accountId: 'a', roles: ['owner'] };
const admin = { accountId: 'b', roles: ['admin'] };
const both = { accountId: 'c', roles: ['viewer', 'owner'] };

test('only an owner is offered to make owners, and to change or remove them', () => {
  assert.ok(rolesToGive(owner).includes('owner'));
  assert.deepEqual(rolesToGive(admin), ['admin', 'developer', 'support', 'viewer']);
  assert.equal(mayChange(owner, both), true);
  assert.equal(mayChange(admin, both), false);
  assert.equal(mayChange(admin, admin), true);
});

test('the only owner is known as such once all members are known', () => {
  const members = [owner, admin];
  assert.equal(isOnlyOwner(owner, { members, isComplete: true }), true);
  assert.equal(isOnlyOwner(owner, { members, isComplete: false }), false);
  assert.equal(isOnlyOwner(admin, { members, isComplete: true }), false);
  assert.equal(isOnlyOwner(owner, { members: [...members, both], isComplete: true }), false);
});

test('roles stand in the order of what they may do', () => {
  assert.deepEqual(sortRoles(['viewer', 'owner', 'stranger']), ['owner', 'viewer']);
});
