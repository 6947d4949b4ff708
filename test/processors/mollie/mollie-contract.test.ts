// Mollie, held to the contract of every processor.

import { testContract } from '../test-contract.ts';
import { mollieRig } from './mollie-rig.ts';

testContract(mollieRig);
