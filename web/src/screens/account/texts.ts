// The texts of a person's own account.

import { defineScreenTexts } from '../../texts/texts.ts';

export const useAccountTexts = defineScreenTexts('account');
