// Whether this service may move real money: only behind https, and only with a PostgreSQL server.

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
      detail: `BASE_URL is ${baseUrl}. Set it to a URL that starts with https://.`,
    });
  if (db.kind !== 'server')
    faults.push({
      field: 'mode',
      code: 'embedded_database',
      detail: 'The service uses its embedded database. Set DATABASE_URL to a PostgreSQL server.',
    });
  if (faults.length > 0) throw errors.liveNotPossible({ errors: faults });
}
