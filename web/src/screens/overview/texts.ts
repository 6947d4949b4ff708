// The texts of the overview.

import { defineScreenTexts } from '../../texts/texts.ts';

export const useOverviewTexts = defineScreenTexts('overview');
