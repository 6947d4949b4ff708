// What is due for a company in the cell that it has moved to, and that no row there says: sealing its last events, and filling
// the words of its payments. Both look for events above a mark of the whole database, which may have passed those of the
// company while it arrived. Its next event would cause both as well.

import { systemClock } from './base/clock.ts';
import type { Database } from './db/database.ts';
import { sealCompany } from './events/seal-events.ts';
import { fillWordsOf } from './search/fill-words.ts';

/** After a move. Can be repeated. */
export async function workInNewCell(db: Database, companyId: string): Promise<void> {
  await sealCompany({ db, clock: systemClock }, companyId);
  await fillWordsOf({ db }, companyId);
}
