// The texts of the sign-in.

import { defineTexts } from '../../texts/texts.ts';

export const useSignInTexts = defineTexts('signIn');
