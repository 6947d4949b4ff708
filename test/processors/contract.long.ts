// Every processor is held to one contract. A processor joins by its rig.

import type { RigMaker } from './kit/rig.ts';
import { mollieRig } from './mollie/mollie-rig.ts';
import { paypalRig } from './paypal/paypal-rig.ts';
import { promptSampleRig, sampleRig } from './sample/sample-rig.ts';
import { sandboxRig } from './sandbox/sandbox-rig.ts';
import { stripeRig } from './stripe/stripe-rig.ts';
import { testContract } from './test-contract.ts';

/** One line for each, the sandbox on every engine. */
const makers: readonly RigMaker[] = [
  sandboxRig('server'),
  sandboxRig('embedded'),
  sampleRig,
  promptSampleRig,
  mollieRig,
  paypalRig,
  stripeRig,
];

for (const maker of makers) testContract(maker);
