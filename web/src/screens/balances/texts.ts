// The texts of the page of balances.

import { defineScreenTexts } from '../../texts/texts.ts';

export const useBalancesTexts = defineScreenTexts('balances');
