import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { actionExpiry } from './attempt-request.ts';

test('a customer may act until the processor’s limit, or until the link expires unless the attempt may outlive it', () => {
  const now = new Date();
  const property = fc.property(
    fc.integer({ min: 1, max: 1e9 }),
    fc.integer({ min: 1, max: 1e9 }),
    fc.boolean(),
    (actionLifeMs, leftMs, mayOutliveLink) => {
      const payment = { expiresAt: new Date(now.getTime() + leftMs) };
      const end = actionExpiry({ actionLifeMs, mayOutliveLink }, payment, now).getTime() - now.getTime();
      assert.equal(end, mayOutliveLink ? actionLifeMs : Math.min(actionLifeMs, leftMs));
    },
  );
  fc.assert(property);
});
