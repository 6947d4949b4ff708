// The short form of restarts.campaign.ts.

import { testProxiedRestarts } from './restart-pair.ts';

testProxiedRestarts({ restarts: 4, leastRequests: 2_000 });
