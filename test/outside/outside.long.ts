// The short form of outside.campaign.ts.

import { testFromOutside } from './outside.ts';

testFromOutside({ soakMinutes: 0.25, restarts: 1, capacitySeconds: 5, plantsFaults: true });
