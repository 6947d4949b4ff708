import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closestName } from './validation.ts';

const known = ['firstName', 'lastName', 'customerOrderId', 'email', 'amount', 'success_url', 'failure_url'];

for (const [name, nearest] of [
  ['first_name', 'firstName'],
  ['successUrl', 'success_url'],
  ['sucess_url', 'success_url'],
  ['ammount', 'amount'],
  ['customerorderid', 'customerOrderId'],
  ['e-mail', 'email'],
] as const)
  test(`for ${name} the nearest known field is ${nearest}`, () =>
    assert.equal(closestName(name, known), nearest));

test('an unknown name without a similar field gets no suggestion', () => {
  assert.equal(closestName('webhookSecretForProduction', known), null);
  assert.equal(closestName('x'.repeat(100_000), known), null);
});
