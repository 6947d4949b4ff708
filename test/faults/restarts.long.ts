// The short form of restarts.campaign.ts.

import { testProxiedRestarts } from './restart-pair.ts';

testProxiedRestarts({ restarts: 2, leastRequests: 1_000, kills: ['haproxy'] });
