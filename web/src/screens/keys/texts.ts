// The texts of API keys.

import { defineScreenTexts } from '../../texts/texts.ts';

export const useKeyTexts = defineScreenTexts('keys');
