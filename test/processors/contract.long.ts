// Every processor is held to one contract. A processor joins by its rig.

import { engines } from '../harness/paylink.ts';
import type { RigMaker } from './kit/rig.ts';
import { mollieRig } from './mollie/mollie-rig.ts';
import { paypalRig } from './paypal/paypal-rig.ts';
import { promptSampleRig, sampleRig } from './sample/sample-rig.ts';
import { sandboxRig } from './sandbox/sandbox-rig.ts';
import { stripeRig } from './stripe/stripe-rig.ts';
import { testContract } from './test-contract.ts';

/** One line for each, the sandbox on every engine. */
const makers: readonly RigMaker[] = [
  ...engines.map(sandboxRig),
  sampleRig,
  promptSampleRig,
  mollieRig,
  paypalRig,
  stripeRig,
];

for (const maker of makers) testContract(maker);
