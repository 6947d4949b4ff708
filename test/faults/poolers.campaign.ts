// Eight kills of a process behind PgBouncer in each mode. poolers.long.ts is the short form.

import { testPoolers } from './pooled.ts';

testPoolers({ disruptions: 8 });
