// The short form of outside.campaign.ts: one order a second, because other tests run at the same time.

import { testFromOutside } from './outside.ts';

testFromOutside({ soakMinutes: 0.25, restarts: 1, capacitySeconds: null, plantsFaults: true });
