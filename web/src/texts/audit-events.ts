// The texts of a company's events other than those of payments: keys, members, sign-ins, settings, webhooks. Those of
// payments are in events.ts. An event without a text is shown by its API name.

import { findEventText, useEventTexts } from './events.ts';
import { defineTexts } from './texts.ts';

const useTypes = defineTexts('auditEvents');

export function useAuditEventTexts(): (type: string) => string {
  const types = useTypes();
  const ofPayments = useEventTexts();
  return (type) => findEventText(types, type) ?? ofPayments(type);
}
