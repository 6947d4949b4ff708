// Twenty restarts in turn behind each proxy, and 20,000 requests. restarts.long.ts is the short form.

import { proxyNames } from './proxies.ts';
import { testProxiedRestarts } from './restart-pair.ts';

testProxiedRestarts({ restarts: 20, leastRequests: 20_000, kills: proxyNames });
