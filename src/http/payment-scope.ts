// The company of a link code. A code of another company or mode must be refused like one that does not exist.

import { errors } from '../base/errors.ts';
import { companyOfLinkCode } from '../base/ids.ts';
import type { TenantScope } from '../db/database.ts';
import type { Principal } from './authentication.ts';
import { actorOf } from './roles.ts';

/** In the mode of the credentials. Throws `payment_not_found` for a code of another company, too. */
export function paymentScopeOf(
  principal: Principal,
  code: string,
): TenantScope & { code: string; actor: string } {
  const { companyId, mode } = principal;
  if (companyOfLinkCode(code) !== companyId) throw errors.paymentNotFound();
  return { companyId, mode, code, actor: actorOf(principal) };
}
