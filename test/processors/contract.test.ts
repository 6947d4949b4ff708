// Every processor is held to one contract. A processor joins by its rig.

import { engines } from '../harness/paylink.ts';
import type { RigMaker } from './kit/rig.ts';
import { promptSampleRig, sampleRig } from './sample/sample-rig.ts';
import { sandboxRig } from './sandbox/sandbox-rig.ts';
import { testContract } from './test-contract.ts';

const makers: readonly RigMaker[] = [...engines.map(sandboxRig), sampleRig, promptSampleRig];

for (const maker of makers) testContract(maker);
