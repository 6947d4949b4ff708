// Declares the contract tests of one processor: one test for each guarantee that applies.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hold, openBench } from './contract/bench.ts';
import { contract } from './contract.ts';
import type { Rig, RigMaker } from './kit/rig.ts';

/** Declares a suite of tests for a processor. */
export function testContract({ name, features, start }: RigMaker): void {
  describe(name, () => {
    let rig: Rig | undefined;
    before(async () => {
      rig = await start();
    });
    after(async () => {
      await rig?.stop();
    });
    for (const guarantee of contract) {
      if (guarantee.applies && !guarantee.applies(features)) continue;
      test(`${name}: ${guarantee.title}`, async () => {
        assert.ok(rig);
        await hold(openBench(rig, features), guarantee);
      });
    }
  });
}
