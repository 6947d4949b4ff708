// The short form of cells-under-load.campaign.ts.

import { testCellsUnderLoad } from './under-load.ts';

testCellsUnderLoad({ companies: 12, pauseMs: 4_000, downMs: 5_000, refusals: 3 });
