// Runs the contract for every processor. Add a new one to `liveMakers` in live.ts.

import type { RigMaker } from './kit/rig.ts';
import { liveMakers } from './live.ts';
import { promptSampleRig, sampleRig } from './sample/sample-rig.ts';
import { sandboxRig } from './sandbox/sandbox-rig.ts';
import { testContract } from './test-contract.ts';

const makers: readonly RigMaker[] = [
  sandboxRig('server'),
  sandboxRig('embedded'),
  sampleRig,
  promptSampleRig,
  ...liveMakers,
];

for (const maker of makers) testContract(maker);
