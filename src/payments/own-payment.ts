// Whose a link code is. A foreign one and one that does not exist must be refused alike.

import { errors } from '../base/errors.ts';
import { companyOfLinkCode } from '../base/ids.ts';
import type { Principal } from '../http/authentication.ts';
import { actorOf } from '../merchants/roles.ts';

/**
 * The payment that somebody asks about, and who asks. Refuses a code of another company as it refuses one
 * that does not exist: `not_found`.
 */
export function ownPayment(
  principal: Principal,
  code: string,
): { companyId: string; code: string; actor: string } {
  const { companyId } = principal;
  if (companyOfLinkCode(code) !== companyId) throw errors.notFound();
  return { companyId, code, actor: actorOf(principal) };
}
