// Twelve companies on three cells, with more load between the disturbances. cells-under-load.long.ts is the short form.

import { testCellsUnderLoad } from './under-load.ts';

testCellsUnderLoad({ companies: 12, pauseMs: 60_000, downMs: 30_000, refusals: 0 });
