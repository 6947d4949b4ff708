// The texts of the audit log around its entries.

import { defineScreenTexts } from '../../texts/texts.ts';

export const useAuditTexts = defineScreenTexts('audit');
