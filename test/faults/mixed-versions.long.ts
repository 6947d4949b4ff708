// The short form of mixed-versions.campaign.ts: shorter phases, and one of the planted migrations.

import { testMixedVersions } from './mixed-releases.ts';

testMixedVersions({ phaseMs: 5_000, plantCount: 1 });
