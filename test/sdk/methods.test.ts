import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as accountResources from '../../sdk/src/account-resources.ts';
import { routes } from '../../sdk/src/api-routes.ts';
import * as bankResources from '../../sdk/src/bank-resources.ts';
import type { Request } from '../../sdk/src/call.ts';
import * as processorResources from '../../sdk/src/processor-resources.ts';
import * as resources from '../../sdk/src/resources.ts';
import * as testModeResources from '../../sdk/src/test-mode-resources.ts';
import * as webhookResources from '../../sdk/src/webhook-resources.ts';

/** Operations that are called otherwise, are for monitoring, or need a browser's cookie, which no client stores. */
const withoutMethod = [
  ...['beginPasskeySignIn', 'getHealth', 'getKeySet', 'getOperatorStatus', 'getProblem'],
  ...['getReadiness', 'getSession'],
  ...['logIn', 'signIn', 'signInWithPasskey', 'signOut'],
];

test('every operation of the description has a method, except the listed ones', async () => {
  const performed = new Set<string>();
  const note = (operation: string) => {
    performed.add(operation);
    return Promise.reject(new Error('noted'));
  };
  for (const make of Object.values({
    ...resources,
    ...accountResources,
    ...bankResources,
    ...processorResources,
    ...webhookResources,
    ...testModeResources,
  })) {
    for (const method of Object.values(make(note as unknown as Request))) {
      const answer: unknown = (method as (...values: unknown[]) => unknown)('x');
      const isList = answer !== null && typeof answer === 'object' && Symbol.asyncIterator in answer;
      const items = isList ? (answer as AsyncIterable<unknown>)[Symbol.asyncIterator]() : null;
      await assert.rejects(items ? items.next() : (answer as Promise<unknown>), /noted/);
    }
  }
  const left = Object.keys(routes).filter((operation) => !performed.has(operation));
  assert.deepEqual(left.sort(), withoutMethod);
});
