// An upgrade, eight restarts, and 30 minutes at a third of the capacity, checked by an oracle that shares no code with the
// service. SOAK_MINUTES shortens the last part. outside.long.ts is the short form.

import { testFromOutside } from './outside.ts';

testFromOutside({ soakMinutes: 30, restarts: 4, capacitySeconds: 20, plantsFaults: true });
