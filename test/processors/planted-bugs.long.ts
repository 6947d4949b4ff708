// Tests the contract: each planted bug must break its guarantee, which holds without the bug.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ProcessorKind } from '../../src/processors/processor.ts';
import { type Guarantee, hold, openBench } from './contract/bench.ts';
import { contract } from './contract.ts';
import type { Rig, RigMaker } from './kit/rig.ts';
import { plants } from './planted-bugs.ts';
import { promptSampleRig, sampleRig } from './sample/sample-rig.ts';

/** The processors in which bugs are planted. A guarantee is tested on the first one that it applies to. */
const makers = [promptSampleRig, sampleRig] as const;
const rigs = new Map<RigMaker, Rig>();
before(async () => {
  for (const maker of makers) rigs.set(maker, await maker.start());
});
after(async () => {
  for (const rig of rigs.values()) await rig.stop();
});

function findPlace(title: string): { guarantee: Guarantee; features: RigMaker['features']; rig: Rig } {
  const guarantee = contract.find((one) => one.title === title);
  assert.ok(guarantee, `the contract has: ${title}`);
  const maker = makers.find(({ features }) => guarantee.applies?.(features) ?? true);
  const rig = maker && rigs.get(maker);
  assert.ok(rig, `asked of a sample, too: ${title}`);
  return { guarantee, features: maker.features, rig };
}

/** Whether a guarantee holds on the sample, with or without a bug. */
async function holds(title: string, spoil: (kind: ProcessorKind) => ProcessorKind): Promise<boolean> {
  const { guarantee, features, rig } = findPlace(title);
  return await hold(openBench({ ...rig, kind: spoil(rig.kind) }, features), guarantee).then(
    () => true,
    () => false,
  );
}

test('guarantee titles are unique', () => {
  const titles = contract.map(({ title }) => title);
  assert.deepEqual(titles.toSorted(), [...new Set(titles)].toSorted());
});

for (const { bug, spoil, caughtBy } of plants) {
  test(`the contract catches this bug: ${bug}`, async () => {
    assert.equal(await holds(caughtBy, spoil), false, `caught by: ${caughtBy}`);
    assert.equal(await holds(caughtBy, (kind) => kind), true, 'and without the bug it holds');
  });
}
