// The texts of one payment. Those of its events are in texts/events.ts.

import { defineScreenTexts } from '../../texts/texts.ts';

export const usePaymentTexts = defineScreenTexts('payment');
