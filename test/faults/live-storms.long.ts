// The short form of live-storms.campaign.ts.

import { testLiveStorms } from './live-storms.ts';

testLiveStorms({ disruptions: 4 });
