// The texts of the first steps.

import { defineScreenTexts } from '../../texts/texts.ts';

export const useStartTexts = defineScreenTexts('start');
