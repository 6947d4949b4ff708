// The texts of the operator's page.

import { defineScreenTexts } from '../../texts/texts.ts';

export const useOperationTexts = defineScreenTexts('operation');
