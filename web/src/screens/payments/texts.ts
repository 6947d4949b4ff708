// The texts of the list of payments.

import { defineScreenTexts } from '../../texts/texts.ts';

export const usePaymentsTexts = defineScreenTexts('payments');
