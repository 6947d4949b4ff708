// An upgrade to this code and its rollback under load, in phases of 20 s, and every planted migration.
// mixed-versions.long.ts is the short form.

import { testMixedVersions } from './mixed-releases.ts';

testMixedVersions({ phaseMs: 20_000, plantCount: 4 });
