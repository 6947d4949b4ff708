// The role, the company and the modes that a transaction sets, which decide the rows that it sees.

import { activeTestTime } from '../base/clock.ts';
import type { ScopeSettings } from './session-settings.ts';

const companyIdPattern = /^co_[0-9a-z]{4,32}$/;

/**
 * The value of `paylink.mode` for each kind of scope; the SQL function current_modes() reads it. It is never
 * empty: without it, as in versions before modes, a transaction sees no events.
 */
const modeSettings = { test: 'test', live: 'live', none: 'none', both: 'test,live' } as const;

/** The modes of a scope: one, none, or both. */
export type ScopeModes = keyof typeof modeSettings;

/**
 * In the test time of a company only its own transactions in test mode may run, and those on the company itself: row-level
 * security then hides live rows and other companies from everything that sees moved time.
 */
function refuseOutsideTestTime(companyId: string, modes: ScopeModes): void {
  const time = activeTestTime();
  if (!time) return;
  if (time.companyId === companyId && (modes === 'test' || modes === 'none')) return;
  throw new Error(
    'work in the test time of a company must not open a transaction of live mode or of another company',
  );
}

/** The role without a company. */
export const systemSettings: ScopeSettings = {
  role: 'paylink_system',
  'paylink.company_id': '',
  'paylink.mode': '',
};

/** The settings of a transaction of a company. */
export function scopeSettings(companyId: string, modes: ScopeModes): ScopeSettings {
  if (!companyIdPattern.test(companyId)) throw new Error('the company ID is malformed');
  if (!Object.hasOwn(modeSettings, modes)) throw new Error('the mode is neither test nor live');
  refuseOutsideTestTime(companyId, modes);
  return { role: 'paylink_tenant', 'paylink.company_id': companyId, 'paylink.mode': modeSettings[modes] };
}
