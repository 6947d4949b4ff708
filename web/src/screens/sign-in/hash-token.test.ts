// Which text counts as the secret of a link.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokenIn } from './hash-token.ts';

test('only a token of the page’s own kind is read from the URL', () => {
  assert.equal(tokenIn('#reset_abc', 'reset'), 'reset_abc');
  assert.equal(tokenIn('#invite_abc', 'invite'), 'invite_abc');
  for (const hash of ['', '#', '#content', '#invite_abc', '#xreset_abc', `#reset_${'a'.repeat(200)}`])
    assert.equal(tokenIn(hash, 'reset'), null, hash.slice(0, 20));
});
