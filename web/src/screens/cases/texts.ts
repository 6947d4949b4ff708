// The texts of the page of cases.

import { defineScreenTexts } from '../../texts/texts.ts';

export const useCasesTexts = defineScreenTexts('cases');
