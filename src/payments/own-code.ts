// Whose a link code is. A foreign one and one that does not exist must be refused alike.

import { errors } from '../base/errors.ts';
import { companyOfLinkCode } from '../base/ids.ts';

/** Refuses a code of another company as it refuses one that does not exist: `not_found`. */
export function requireOwn(companyId: string, code: string): void {
  if (companyOfLinkCode(code) !== companyId) throw errors.notFound();
}
