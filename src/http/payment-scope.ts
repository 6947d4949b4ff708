// Whose a link code is. A code of another company or of the other mode must be refused like one that does not exist.

import { errors } from '../base/errors.ts';
import { companyOfLinkCode } from '../base/ids.ts';
import type { TenantScope } from '../db/database.ts';
import type { Principal } from './authentication.ts';
import { actorOf } from './roles.ts';

/**
 * The payment that somebody asks about, in the mode of their credentials, and who asks. Refuses a code of another
 * company as it refuses one that does not exist: `payment_not_found`.
 */
export function paymentScopeOf(
  principal: Principal,
  code: string,
): TenantScope & { code: string; actor: string } {
  const { companyId, mode } = principal;
  if (companyOfLinkCode(code) !== companyId) throw errors.paymentNotFound();
  return { companyId, mode, code, actor: actorOf(principal) };
}
