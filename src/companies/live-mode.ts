// Whether this service may move real money: only behind https, and only on a database that survives the loss of
// a disk and a process. It checks the settings only, and must not consider what a company wants.

import { errors, type FieldError } from '../base/errors.ts';
import type { Database } from '../db/database.ts';

export type LiveDeps = { db: Pick<Database, 'kind'>; baseUrl: string };

/** Throws `live_not_possible`, naming every reason. */
export function requireLiveModeAllowed({ db, baseUrl }: LiveDeps): void {
  const faults: FieldError[] = [];
  if (!baseUrl.startsWith('https:'))
    faults.push({
      field: 'mode',
      code: 'base_url_not_https',
      detail: `Customers would pay at ${baseUrl}: set BASE_URL to an address that opens with https://.`,
    });
  if (db.kind !== 'server')
    faults.push({
      field: 'mode',
      code: 'embedded_database',
      detail: 'The service runs on its embedded database: set DATABASE_URL to a PostgreSQL server.',
    });
  if (faults.length > 0) throw errors.liveNotPossible({ errors: faults });
}
