// The texts of the logo and of the company's contact and legal data.

import { defineTexts } from '../../texts/texts.ts';

export const useIdentityTexts = defineTexts('identity');
