// Two storms of 20 faults on the live processors. live-storms.long.ts is the short form.

import { testLiveStorms } from './live-storms.ts';

testLiveStorms({ disruptions: 20 });
