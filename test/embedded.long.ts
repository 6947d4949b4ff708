// Runs the tests on the embedded engine where the engines differ most. The short form of embedded.campaign.ts, which
// runs all tests that concern data.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engineFiles } from './harness/engine-files.ts';
import { testAgain } from './harness/run-again.ts';

/** Each file with the difference that it covers. */
const selected: Readonly<Record<string, string>> = {
  'test/tenant-isolation.test.ts': 'a superuser, whom row-level security does not bind, owns the connection',
  'test/interface.test.ts':
    'concurrent requests take turns at one connection; values of every type are returned',
  'test/paying.test.ts': 'two posts at once, without a second transaction that could wait for a lock',
  'test/refunds.test.ts': 'concurrent refunds, late money and the work on refunds',
  'test/idempotency.test.ts': 'the claim of a key by concurrent and interrupted runs',
  'test/due-work.test.ts': 'rows are claimed with `skip locked` on one connection',
  'test/feed-long-polling.test.ts':
    'waiting readers learn of new events, by `listen` and `notify` on a server',
  'test/payment-search.test.ts': 'collation, prefixes and the plans of searches without autovacuum',
  'test/webhooks.test.ts': 'deliveries are claimed with `skip locked` and sent while requests are served',
};

test('every test that concerns data is found', () => {
  assert.ok(engineFiles.length > 40, `${engineFiles.length} files`);
});

test('every selected file concerns data', () => {
  const unknown = Object.keys(selected).filter((file) => !engineFiles.includes(file));
  assert.deepEqual(unknown, []);
});

testAgain('on the embedded engine', Object.keys(selected), { TEST_ENGINE: 'embedded' });

test('the files run on the embedded engine', async () => {
  const { engines } = await import('./harness/paylink.ts');
  assert.deepEqual(engines, ['embedded']);
});
